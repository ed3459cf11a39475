package run
import ("testing";"context";"time";"fmt";"encoding/json";"github.com/ddps-go/ddps/ddps/train")
func TestZZ(t *testing.T){
	const step = 10 * time.Millisecond
	for _,b:=range []time.Duration{6*time.Second,12*time.Second}{
		cfg := StackConfig()
		cfg.Hold, cfg.Budget = .2, b
		at := time.Unix(0, 0)
		r := &Run{Config: cfg, Data: walks(t), clock: func() time.Time { at = at.Add(step); return at }}
		r.stack(context.Background(), train.Hooks{}, func(line any) { x,_:=json.Marshal(line); fmt.Println(at.Sub(time.Unix(0,0)),string(x)) })
	}
}
