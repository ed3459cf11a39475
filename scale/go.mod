module github.com/ddps-go/ddps/scale

go 1.26.0

require (
	github.com/apache/beam/sdks/v2 v2.77.0
	github.com/ddps-go/ddps v0.0.0
)

replace github.com/ddps-go/ddps => ../
