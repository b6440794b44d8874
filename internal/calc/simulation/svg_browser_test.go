//go:build svgbrowser

package simulation

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A browser draws the picture as it is meant to be seen: as large as it says,
// with each colour in its legend and in its area. Run with
//
//	go test -tags svgbrowser -run TestSVGInBrowser ./internal/calc/simulation
func TestSVGInBrowser(t *testing.T) {
	chromium := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			chromium = path
			break
		}
	}
	if chromium == "" {
		t.Fatal("no Chromium on PATH: install one to look at pictures")
	}
	svg, problems := SVG(simulated(t, lockedOut).Timeline)
	if problems != nil {
		t.Fatal(problems)
	}
	dir := t.TempDir()
	page, shot := filepath.Join(dir, "timeline.svg"), filepath.Join(dir, "timeline.png")
	if err := os.WriteFile(page, []byte(svg), 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", "--disable-gpu",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
		"--hide-scrollbars", "--user-data-dir="+filepath.Join(dir, "profile"),
		fmt.Sprintf("--window-size=%d,%d", svgWidth, svgHeight), "--screenshot="+shot, "file://"+page).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	data, err := os.ReadFile(shot)
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds(); size.Dx() != svgWidth || size.Dy() != svgHeight {
		t.Fatalf("the picture is %s", size)
	}
	legend, area := map[string]int{}, map[string]int{}
	for y := range svgHeight {
		for x := range svgWidth {
			c := color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)
			pixel := fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
			if y < plotTop {
				legend[pixel]++
			} else {
				area[pixel]++
			}
		}
	}
	for v, c := range svgColors {
		if legend[c] < 13*13 || area[c] < 50 {
			t.Errorf("%s: %d pixels of %s in the legend and %d in the picture", verdictNames[v], legend[c], c, area[c])
		}
	}
	if text := legend[svgText]; text < 100 {
		t.Errorf("%d pixels of text above the picture", text)
	}
	if blank := area[svgBg]; blank == 0 || blank > (svgHeight-plotTop)*svgWidth*9/10 {
		t.Errorf("%d blank pixels", blank)
	}
}
