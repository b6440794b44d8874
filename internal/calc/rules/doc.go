// Package rules says which API rate-limit rule a request meets, and which rules
// no request can ever meet.
//
// # First match
//
// XC evaluates API rate-limit rules first-match in the configured order, so a
// broad rule above a specific one shadows it [article]. A rule takes the requests
// that satisfy all of its parts: domain, path, method, API group and conditions.
// In every part but the methods there is a request that meets exactly what the
// rule asks for and nothing that only a narrower rule asks for: a host, a path
// segment or a path tail that no rule names, no other group, no other condition.
// Such a request is taken only by rules that cover the part as a whole. Hence a
// rule is unreachable exactly when the earlier rules that cover it in everything
// but methods take all of its methods, one of them alone or several together.
//
// # Where the rules come from
//
// Comments name the source as those of package calc do: [article], [spec] and
// [model]. Which of XC's two lists of limiting rules goes first is not
// documented; this package takes one ordered list [model].
package rules
