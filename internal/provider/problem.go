package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// diagnose reports problems on the attributes at fault. Engines show the line of
// an attribute, or of an element that is written out in it, and of nothing deeper;
// they never show the path.
func diagnose(diags *diag.Diagnostics, problems []calc.Problem) {
	for _, p := range problems {
		detail := p.Detail
		if len(p.Path) > 1 {
			detail = fmt.Sprintf("At %s: %s", p.Path, detail)
		}
		diags.AddAttributeError(shownPath(p.Path), p.Summary, detail)
	}
}

// shownPath is the part of a path that engines can show.
func shownPath(p calc.Path) path.Path {
	out := path.Empty()
	for i, step := range p {
		switch s := step.(type) {
		case string:
			if i > 0 {
				return out
			}
			out = out.AtName(s)
		case int:
			out = out.AtListIndex(s)
		}
	}
	return out
}

// argumentError reports problems of a function's argument at the given position,
// counted from 0, each with its path inside that argument. It returns nil where
// there are none.
func argumentError(position int64, problems []calc.Problem) *function.FuncError {
	if len(problems) == 0 {
		return nil
	}
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = p.Detail
		if len(p.Path) > 0 {
			lines[i] = fmt.Sprintf("at %s: %s", p.Path, p.Detail)
		}
	}
	// Engines end the sentence themselves.
	return function.NewArgumentFuncError(position, strings.TrimSuffix(strings.Join(lines, "\n"), "."))
}
