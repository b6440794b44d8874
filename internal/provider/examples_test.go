package provider

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	repository = "../.."
	// header is what a configuration needs that an excerpt leaves out.
	header = `terraform {
  required_providers {
    xcrl = {
      source = "xcrl/xcrl"
    }
  }
}
`
)

// foreign are the examples that need another provider, which nothing here has.
var foreign = []string{"examples/modules/rate-limit-f5xc", "examples/modules/rate-limit-volterra"}

// planned plans a folder with the built provider and returns what the engine
// says.
func planned(t *testing.T, folder string, args ...string) (string, error) {
	t.Helper()
	env := withBinary(t)
	command := exec.Command(os.Getenv("TF_ACC_TERRAFORM_PATH"), append([]string{"plan", "-input=false", "-lock=false", "-no-color"}, args...)...)
	command.Dir = folder
	command.Env = slices.Concat(env, []string{"TF_DATA_DIR=" + t.TempDir()})
	said, err := command.CombinedOutput()
	return string(said), err
}

// Every example plans, and nothing in it is left for later; the refused one is
// refused.
func TestAccExamples(t *testing.T) {
	folders := map[string]bool{}
	err := filepath.WalkDir(filepath.Join(repository, "examples"), func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".tf" {
			relative, relErr := filepath.Rel(repository, filepath.Dir(path))
			folders[filepath.ToSlash(relative)] = true
			return relErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range foreign {
		if !folders[folder] {
			t.Errorf("%s is not there", folder)
		}
		delete(folders, folder)
	}
	for folder := range folders {
		t.Run(folder, func(t *testing.T) {
			said, err := planned(t, filepath.Join(repository, folder))
			if folder == "examples/demo-refused" {
				if err == nil || !strings.Contains(said, "Resource precondition failed") {
					t.Errorf("the engine says:\n%s", said)
				}
				return
			}
			if err != nil {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
}

var fenced = regexp.MustCompile("(?s)\n```(?:terraform|hcl)\n(.*?\n)```")

// Every configuration in the README and the docs plans as it stands, with
// required_providers where it has none.
func TestAccDocs(t *testing.T) {
	pages := []string{"README.md"}
	for _, folder := range []string{"docs", "docs/data-sources", "docs/functions", "docs/guides"} {
		found, err := filepath.Glob(filepath.Join(repository, folder, "*.md"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no pages in %s: %v", folder, err)
		}
		for _, page := range found {
			relative, err := filepath.Rel(repository, page)
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, filepath.ToSlash(relative))
		}
	}
	blocks := 0
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(repository, page))
		if err != nil {
			t.Fatal(err)
		}
		for i, block := range fenced.FindAllStringSubmatch(string(text), -1) {
			config := block[1]
			if strings.Contains(config, "\nrun \"") {
				continue // a test file, which TestAccModule_ownTests runs
			}
			blocks++
			t.Run(fmt.Sprintf("%s_%d", page, i+1), func(t *testing.T) {
				if !strings.Contains(config, "required_providers") {
					config = header + config
				}
				folder := t.TempDir()
				if err := os.WriteFile(filepath.Join(folder, "main.tf"), []byte(config), 0o600); err != nil {
					t.Fatal(err)
				}
				if said, err := planned(t, folder); err != nil {
					t.Errorf("%v\n%s", err, said)
				}
			})
		}
	}
	if blocks < len(pages)/2 {
		t.Errorf("only %d configurations in %d pages", blocks, len(pages))
	}
}

// Each data source and each function has a page, and the README names it.
func TestDocsAreComplete(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var pages []string
	for _, folder := range []string{"data-sources", "functions"} {
		found, err := filepath.Glob(filepath.Join(repository, "docs", folder, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range found {
			pages = append(pages, folder+"/"+filepath.Base(page))
		}
	}
	var want []string
	for name := range served(t).DataSourceSchemas {
		want = append(want, "data-sources/"+strings.TrimPrefix(name, "xcrl_")+".md")
	}
	for name := range served(t).Functions {
		want = append(want, "functions/"+name+".md")
	}
	slices.Sort(pages)
	slices.Sort(want)
	if !slices.Equal(pages, want) {
		t.Errorf("docs has %v, the provider serves %v", pages, want)
	}
	for _, page := range want {
		if !strings.Contains(string(readme), "docs/"+page) {
			t.Errorf("the README does not link to docs/%s", page)
		}
	}
}
