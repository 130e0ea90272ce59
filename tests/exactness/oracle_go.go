// A base64 text a line; two letters: go/parser (without object resolution) and the compiler's syntax package. Behind them stands the byte at
// which go/parser sees its first error.
//
// The latter may only be imported from inside cmd/compile, so the harness builds this file there by an overlay (`go build -overlay`):
// nothing is written to the Go root and nothing is copied from it.
package main

import (
	"bufio"
	"bytes"
	"cmd/compile/internal/syntax"
	"encoding/base64"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
)

func letter(valid bool) byte {
	if valid {
		return '1'
	}
	return '0'
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		text, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(line)))
		if err != nil {
			return
		}
		_, general := parser.ParseFile(token.NewFileSet(), "a.go", text, parser.SkipObjectResolution)
		_, compiler := syntax.Parse(syntax.NewFileBase("a.go"), bytes.NewReader(text), nil, nil, 0)
		out.Write([]byte{letter(general == nil), letter(compiler == nil)})
		if list, ok := general.(scanner.ErrorList); ok && len(list) > 0 {
			out.WriteString(fmt.Sprintf(" %d", list[0].Pos.Offset))
		}
		out.WriteByte('\n')
		out.Flush()
	}
}
