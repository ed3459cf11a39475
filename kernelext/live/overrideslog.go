package live

import (
	"context"
	"log/slog"
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"time"
)

// overrideSlog gives cells a default logger of their own, which writes as package log does for the cell.
func overrideSlog(t map[string]reflect.Value, out *logger) {
	var now atomic.Pointer[slog.Logger]
	level := &slog.LevelVar{}
	now.Store(slog.New(&plainHandler{out: out, level: level}))
	put := func(name string, f any) { t[name] = reflect.ValueOf(f) }
	put("Default", now.Load)
	put("SetDefault", func(l *slog.Logger) { now.Store(l) })
	put("SetLogLoggerLevel", func(l slog.Level) slog.Level {
		old := level.Level()
		level.Set(l)
		return old
	})
	put("With", func(args ...any) *slog.Logger { return now.Load().With(args...) })
	put("Log", func(ctx context.Context, l slog.Level, msg string, args ...any) { now.Load().Log(ctx, l, msg, args...) })
	put("LogAttrs", func(ctx context.Context, l slog.Level, msg string, attrs ...slog.Attr) {
		now.Load().LogAttrs(ctx, l, msg, attrs...)
	})
	for _, l := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		name := l.String()[:1] + strings.ToLower(l.String()[1:])
		put(name, func(msg string, args ...any) { now.Load().Log(context.Background(), l, msg, args...) })
		put(name+"Context", func(ctx context.Context, msg string, args ...any) { now.Load().Log(ctx, l, msg, args...) })
	}
}

// plainHandler writes records as package slog does before SetDefault: the level, the message and the attributes.
type plainHandler struct {
	out   *logger
	level *slog.LevelVar
	with  []func(slog.Handler) slog.Handler
}

// Enabled reports whether records of a level are written.
func (h *plainHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level.Level() }

// Handle writes a record.
func (h *plainHandler) Handle(ctx context.Context, r slog.Record) error {
	var b strings.Builder
	var text slog.Handler = slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.Level(math.MinInt)})
	for _, f := range h.with {
		text = f(text)
	}
	attrs := slog.NewRecord(time.Time{}, r.Level, "", 0)
	r.Attrs(func(a slog.Attr) bool {
		attrs.AddAttrs(a)
		return true
	})
	if err := text.Handle(ctx, attrs); err != nil {
		return err
	}
	_, line, _ := strings.Cut(strings.TrimSuffix(b.String(), "\n"), ` msg=""`)
	return h.out.Output(2, r.Level.String()+" "+r.Message+line)
}

func (h *plainHandler) and(f func(slog.Handler) slog.Handler) slog.Handler {
	more := append(h.with[:len(h.with):len(h.with)], f)
	return &plainHandler{out: h.out, level: h.level, with: more}
}

// WithAttrs returns a handler that writes more attributes.
func (h *plainHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.and(func(t slog.Handler) slog.Handler { return t.WithAttrs(attrs) })
}

// WithGroup returns a handler whose attributes belong to a group.
func (h *plainHandler) WithGroup(name string) slog.Handler {
	return h.and(func(t slog.Handler) slog.Handler { return t.WithGroup(name) })
}
