package kernel

// executeRequest is the content of execute_request.
type executeRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      bool              `json:"allow_stdin"`
	StopOnError     *bool             `json:"stop_on_error"`
}

// whole fills in the protocol's defaults.
func (r executeRequest) whole() executeRequest {
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
