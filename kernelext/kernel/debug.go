//go:build unix

package kernel

import (
	"encoding/json"

	"github.com/ddps-go/ddps/kernelext"
	"github.com/ddps-go/ddps/kernelext/kernel/jupyter"
)

// debugRequest is the content of debug_request: a request of the Debug Adapter Protocol.
type debugRequest struct {
	Seq       int    `json:"seq"`
	Command   string `json:"command"`
	Arguments struct {
		Reference   int    `json:"variablesReference"`
		Name        string `json:"variableName"`
		Breakpoints []struct {
			Line int `json:"line"`
		} `json:"breakpoints"`
	} `json:"arguments"`
}

// noDebugger says what a debugger would do that this kernel does not.
const noDebugger = "cells run without a debugger: their variables can be looked at, not their steps"

// debug is the content of debug_reply. It has what a view of variables needs: live cells' variables and their parts.
func (k *kernel) debug(m *jupyter.Message) any {
	var r debugRequest
	if json.Unmarshal(m.Content, &r) != nil {
		return nil
	}
	reply := map[string]any{"type": "response", "seq": r.Seq, "request_seq": r.Seq, "command": r.Command, "success": true}
	body := map[string]any{}
	switch r.Command {
	case "debugInfo":
		body = map[string]any{"isStarted": k.debugging, "hashMethod": "Murmur2", "hashSeed": 0, "tmpFilePrefix": "",
			"tmpFileSuffix": ".go",
			"breakpoints":   []any{}, "stoppedThreads": []any{}, "richRendering": true, "exceptionPaths": []any{},
			"copyToGlobals": false}
	case "initialize":
		k.debugging = true
		body = map[string]any{"supportsConfigurationDoneRequest": true}
	case "disconnect":
		k.debugging = false
	case "attach", "configurationDone", "setExceptionBreakpoints":
	case "inspectVariables":
		body["variables"] = k.variables(0)
	case "variables":
		body["variables"] = k.variables(max(1, r.Arguments.Reference))
	case "richInspectVariables":
		body = map[string]any{"data": map[string]any{}, "metadata": map[string]any{}}
		if live, err := k.live(); err == nil {
			body["data"] = map[string]any{"text/plain": live.Inspect(r.Arguments.Name, len(r.Arguments.Name))}
		}
	case "threads":
		body["threads"] = []any{}
	case "dumpCell":
		body["sourcePath"] = ""
	case "setBreakpoints":
		list := []any{}
		for _, b := range r.Arguments.Breakpoints {
			list = append(list, map[string]any{"verified": false, "line": b.Line, "message": noDebugger})
		}
		body["breakpoints"] = list
	default:
		reply["success"], reply["message"] = false, noDebugger
	}
	reply["body"] = body
	return reply
}

// variables lists what the session says, as the Debug Adapter Protocol has it.
func (k *kernel) variables(ref int) []map[string]any {
	out := []map[string]any{}
	live, err := k.live()
	if err != nil {
		return out
	}
	for _, v := range live.Variables(ref) {
		out = append(out, described(v))
	}
	return out
}

func described(v kernelext.Variable) map[string]any {
	d := map[string]any{"name": v.Name, "value": v.Value, "type": v.Type, "variablesReference": v.Ref,
		"evaluateName": v.Name}
	if v.Size >= 0 {
		d["indexedVariables"] = v.Size
	}
	return d
}
