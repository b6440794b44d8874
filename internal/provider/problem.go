package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/xcrl/terraform-provider-xcrl/internal/calc"
)

// diagnose reports problems on the attributes at fault.
func diagnose(diags *diag.Diagnostics, problems []calc.Problem) {
	for _, p := range problems {
		diags.AddAttributeError(attributePath(p.Path), p.Summary, p.Detail)
	}
}

func attributePath(p calc.Path) path.Path {
	out := path.Empty()
	for _, step := range p {
		switch s := step.(type) {
		case string:
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
