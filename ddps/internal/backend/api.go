package backend

import "fmt"

// API loads the plugin file, which Check must pass, and returns its version of the PJRT API, as "0.106". A plugin
// that crashes takes the process along. Programs without XLA cannot tell: that is an error.
func API(path string) (version string, err error) {
	defer func() {
		if p := recover(); p != nil {
			version, err = "", fmt.Errorf("backend: plugin %s: %v", path, p)
		}
	}()
	if err := Check(path); err != nil {
		return "", fmt.Errorf("backend: %w", err)
	}
	major, minor, err := pluginAPI(path)
	if err != nil {
		return "", fmt.Errorf("backend: plugin %s: %w", path, err)
	}
	return fmt.Sprintf("%d.%d", major, minor), nil
}
