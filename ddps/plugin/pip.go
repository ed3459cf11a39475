package plugin

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// defaultIndex is used where pip is not told another.
const defaultIndex = "https://pypi.org/simple"

// pipSetting returns a setting of pip, such as index-url: the variable PIP_INDEX_URL, or else what is in the
// section [global] of the last of pip's configuration files that has it; "" if none has. Python is not needed.
func pipSetting(name string) string {
	if v := os.Getenv("PIP_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))); v != "" {
		return v
	}
	value := ""
	for _, file := range pipFiles() {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if v, ok := iniValue(string(data), "global", name); ok {
			value = v
		}
	}
	return value
}

// pipFiles are pip's configuration files, a later one before an earlier one: for all users, for this user, of the
// virtual environment, and PIP_CONFIG_FILE, which stands for the user's where it exists and for none at all if it
// is the null device.
func pipFiles() []string {
	named := os.Getenv("PIP_CONFIG_FILE")
	if named == os.DevNull {
		return nil
	}
	system := os.Getenv("XDG_CONFIG_DIRS")
	if system == "" {
		system = "/etc/xdg"
	}
	if runtime.GOOS == "darwin" {
		system = "/Library/Application Support"
	}
	var files []string
	for _, dir := range filepath.SplitList(system) {
		files = append(files, filepath.Join(dir, "pip", "pip.conf"))
	}
	files = append(files, "/etc/pip.conf")
	if _, err := os.Stat(named); named == "" || err != nil {
		files = append(files, pipUserFiles()...)
	}
	if dir := os.Getenv("VIRTUAL_ENV"); dir != "" {
		files = append(files, filepath.Join(dir, "pip.conf"))
	}
	if named != "" {
		files = append(files, named)
	}
	return files
}

func pipUserFiles() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	config := os.Getenv("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	files := []string{filepath.Join(home, ".pip", "pip.conf"), filepath.Join(config, "pip", "pip.conf")}
	if runtime.GOOS == "darwin" {
		files = append(files, filepath.Join(home, "Library", "Application Support", "pip", "pip.conf"))
	}
	return files
}

// iniValue returns the value of a key in a section of a configuration file in the manner of Python's configparser:
// "key = value" or "key: value", lines that begin with # or ; left out, a value going on in lines that are
// indented. Keys compare without case, and _ as -.
func iniValue(text, section, key string) (value string, ok bool) {
	here, open := false, false // in the section; the last key was the one sought
	for _, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimRight(line, " \t\r")
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
		case open && trimmed != line: // indented
			value = strings.TrimSpace(value + "\n" + trimmed)
		case trimmed[0] == '[' && trimmed[len(trimmed)-1] == ']':
			here, open = trimmed[1:len(trimmed)-1] == section, false
		default:
			k := strings.IndexAny(trimmed, "=:")
			open = here && k > 0 && strings.ReplaceAll(strings.ToLower(strings.TrimSpace(trimmed[:max(k, 0)])), "_", "-") == key
			if open {
				value, ok = strings.TrimSpace(trimmed[k+1:]), true
			}
		}
	}
	return value, ok
}
