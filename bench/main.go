package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	if os.Args[1] == "worker" {
		n, _ := strconv.Atoi(os.Args[3])
		if err := serve(os.Stdin, os.Stdout, os.Args[2], n); err != nil {
			fmt.Println(err)
		}
		return
	}
	for _, n := range os.Args[3:] {
		if err := makeCase(os.Args[2], n); err != nil {
			panic(err)
		}
	}
}
