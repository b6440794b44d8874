// Command dist checks that a release can be reproduced: it builds every archive
// that .goreleaser.yml describes, twice, in folders and build caches that differ,
// and compares the bytes. It reads platforms, flags and names from that file, so
// the file stays their only home.
//
// Run it in the root of the repository. It needs Go and nothing else, which is
// why it stands in for goreleaser itself.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"go.yaml.in/yaml/v3"
)

// maxBinary is the size that a stripped binary stays below.
const maxBinary = 30 << 20

// wanted are the platforms that a release must have.
var wanted = []string{
	"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64", "windows_arm64",
}

// config is the part of .goreleaser.yml that decides what an archive holds.
type config struct {
	ProjectName string `yaml:"project_name"`
	Builds      []struct {
		Env     []string
		Goos    []string
		Goarch  []string
		Flags   []string
		Ldflags []string
		Binary  string
	}
	Archives []struct {
		Formats      []string
		NameTemplate string `yaml:"name_template"`
		Files        []struct{ Src string }
	}
}

// names are what the templates of .goreleaser.yml may use.
type names struct {
	ProjectName, Version, Os, Arch string
}

func main() {
	version := flag.String("version", "0.0.0", "the version to build")
	platforms := flag.String("platforms", "", "a comma-separated part of the platforms to build, as linux_amd64")
	flag.Parse()

	if err := run(*version, *platforms); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(version, only string) error {
	cfg, err := readConfig(".goreleaser.yml")
	if err != nil {
		return err
	}
	if err := checkManifest("terraform-registry-manifest.json"); err != nil {
		return err
	}

	temp, err := os.MkdirTemp("", "xcrl-dist")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()

	// The second build happens in another folder and fills a cache of its own.
	here, elsewhere := filepath.Join(temp, "here"), filepath.Join(temp, "some", "where", "else")
	if err := errors.Join(copySource(here), copySource(elsewhere)); err != nil {
		return err
	}
	cache := filepath.Join(temp, "cache")

	var built []string
	build := cfg.Builds[0]
	for _, goos := range build.Goos {
		for _, goarch := range build.Goarch {
			platform := goos + "_" + goarch
			if only != "" && !slices.Contains(strings.Split(only, ","), platform) {
				continue
			}
			n := names{cfg.ProjectName, version, goos, goarch}
			first, size, err := cfg.archive(n, here, "")
			if err != nil {
				return fmt.Errorf("%s: %w", platform, err)
			}
			second, _, err := cfg.archive(n, elsewhere, cache)
			if err != nil {
				return fmt.Errorf("%s, the second time: %w", platform, err)
			}
			if !bytes.Equal(first, second) {
				return fmt.Errorf("%s: two builds of the same source differ (%d and %d bytes)", platform, len(first), len(second))
			}
			if size >= maxBinary {
				return fmt.Errorf("%s: the binary has %.1f MiB, which is not below %d", platform, mib(size), maxBinary>>20)
			}
			name, err := expand(cfg.Archives[0].NameTemplate, n)
			if err != nil {
				return err
			}
			fmt.Printf("%x  %s.zip  twice the same, binary %.1f MiB, archive %.1f MiB\n",
				sha256.Sum256(first), name, mib(size), mib(len(first)))
			built = append(built, platform)
		}
	}

	if only != "" {
		wanted = strings.Split(only, ",")
	}
	for _, platform := range wanted {
		if !slices.Contains(built, platform) {
			return fmt.Errorf(".goreleaser.yml does not build for %s", platform)
		}
	}
	return nil
}

func mib(n int) float64 { return float64(n) / (1 << 20) }

func readConfig(file string) (*config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var cfg config
	if err := yaml.Unmarshal(text, &cfg); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(cfg.Builds) != 1 || len(cfg.Archives) != 1 || !slices.Equal(cfg.Archives[0].Formats, []string{"zip"}) {
		return nil, fmt.Errorf("%s: want one build and one archive, a zip", file)
	}
	return &cfg, nil
}

// checkManifest holds the registry's manifest to the protocol that the provider
// serves.
func checkManifest(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var manifest struct {
		Version  int
		Metadata struct {
			Protocols []string `json:"protocol_versions"`
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if manifest.Version != 1 || !slices.Equal(manifest.Metadata.Protocols, []string{"6.0"}) {
		return fmt.Errorf("%s: want version 1 and protocol 6.0, not %+v", file, manifest)
	}
	return nil
}

// archive builds the provider for one platform in a folder and returns the zip
// of a release and the size of the binary inside. An empty cache is Go's own.
func (c *config) archive(n names, folder, cache string) (archive []byte, size int, err error) {
	build := c.Builds[0]
	binary, err := expand(build.Binary, n)
	if err != nil {
		return nil, 0, err
	}
	if n.Os == "windows" {
		binary += ".exe"
	}
	ldflags, err := expand(strings.Join(build.Ldflags, " "), n)
	if err != nil {
		return nil, 0, err
	}
	out, err := os.MkdirTemp("", "xcrl-dist-binary")
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = os.RemoveAll(out) }()

	args := append([]string{"build"}, build.Flags...)
	args = append(args, "-ldflags", ldflags, "-o", filepath.Join(out, binary), ".")
	cmd := exec.Command("go", args...)
	cmd.Dir = folder
	cmd.Env = append(append(os.Environ(), build.Env...), "GOOS="+n.Os, "GOARCH="+n.Arch)
	if cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+cache)
	}
	if output, err := cmd.CombinedOutput(); err != nil {
		return nil, 0, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, output)
	}

	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	for _, file := range c.Archives[0].Files {
		if _, err := add(w, filepath.Join(folder, file.Src), filepath.Base(file.Src), 0o644); err != nil {
			return nil, 0, err
		}
	}
	size, err = add(w, filepath.Join(out, binary), binary, 0o755)
	if err != nil {
		return nil, 0, err
	}
	if err := w.Close(); err != nil {
		return nil, 0, err
	}
	return buffer.Bytes(), size, nil
}

// add puts a file into a zip with a fixed time, as a release has its commit's.
func add(w *zip.Writer, file, name string, mode fs.FileMode) (size int, err error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Unix(0, 0).UTC()}
	header.SetMode(mode)
	entry, err := w.CreateHeader(header)
	if err != nil {
		return 0, err
	}
	_, err = entry.Write(content)
	return len(content), err
}

func expand(text string, n names) (string, error) {
	t, err := template.New("").Option("missingkey=error").Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, n)
	return b.String(), err
}

// copySource copies the files that git knows, or would add, to another folder.
func copySource(to string) error {
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		if err := copyFile(name, filepath.Join(to, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	target, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		_ = target.Close()
		return err
	}
	return target.Close()
}
