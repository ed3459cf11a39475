package jupyter

// ExecuteRequest is the content of execute_request.
type ExecuteRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      bool              `json:"allow_stdin"`
	StopOnError     *bool             `json:"stop_on_error"`
}

// Whole fills in the protocol's defaults.
func (r ExecuteRequest) Whole() ExecuteRequest {
	store, stop := !r.Silent, true
	if r.StoreHistory != nil {
		store = store && *r.StoreHistory
	}
	if r.StopOnError != nil {
		stop = *r.StopOnError
	}
	if r.UserExpressions == nil {
		r.UserExpressions = map[string]string{}
	}
	r.StoreHistory, r.StopOnError = &store, &stop
	return r
}

// Failure is why a cell failed, in the protocol's three parts.
type Failure struct {
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}
