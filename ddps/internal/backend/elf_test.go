package backend

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var regen = flag.Bool("regen", false, "rewrite testdata/plugin.so")

// library is the least ELF shared library for linux/amd64 that defines a symbol: enough for Check, not to be loaded.
func library(symbol string) []byte {
	const header, segment, section, sym = 64, 56, 64, 24
	names := "\x00.dynsym\x00.dynstr\x00.shstrtab\x00"
	strs := "\x00" + symbol + "\x00"
	dynsym := uint64(header + segment)
	dynstr := dynsym + 2*sym
	shstr := dynstr + uint64(len(strs))
	table := (shstr + uint64(len(names)) + 7) &^ 7
	var b bytes.Buffer
	put := func(v any) { binary.Write(&b, binary.LittleEndian, v) }
	h := elf.Header64{Type: uint16(elf.ET_DYN), Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: header, Shoff: table,
		Ehsize:    header,
		Phentsize: segment, Phnum: 1, Shentsize: section, Shnum: 4, Shstrndx: 3}
	copy(h.Ident[:], elf.ELFMAG+"\x02\x01\x01")
	put(h)
	put(elf.Prog64{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R), Filesz: table + 4*section, Memsz: table + 4*section,
		Align: 0x1000})
	put(elf.Sym64{})
	put(elf.Sym64{Name: 1, Info: byte(elf.STB_GLOBAL)<<4 | byte(elf.STT_FUNC), Shndx: 1})
	b.WriteString(strs + names)
	b.Write(make([]byte, int(table)-b.Len()))
	name := func(s string) uint32 { return uint32(strings.Index(names, s)) }
	put(elf.Section64{})
	put(elf.Section64{Name: name(".dynsym"), Type: uint32(elf.SHT_DYNSYM), Off: dynsym, Size: 2 * sym, Link: 2, Info: 1,
		Entsize: sym})
	put(elf.Section64{Name: name(".dynstr"), Type: uint32(elf.SHT_STRTAB), Off: dynstr, Size: uint64(len(strs))})
	put(elf.Section64{Name: name(".shstrtab"), Type: uint32(elf.SHT_STRTAB), Off: shstr, Size: uint64(len(names))})
	return b.Bytes()
}

// testdata/plugin.so, which other packages' tests install, is such a library.
func TestLibrary(t *testing.T) {
	const name = "testdata/plugin.so"
	want := library("GetPjrtApi")
	if *regen {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%s differs (error %v): go test -run Library -regen", name, err)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("for linux/amd64")
	}
	if err := Check(name); err != nil {
		t.Error(err)
	}
	other := filepath.Join(t.TempDir(), "x.so")
	if err := os.WriteFile(other, library("GetPjrtApj"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Check(other); err == nil || !strings.Contains(err.Error(), "does not export GetPjrtApi") {
		t.Errorf("error %v", err)
	}
}

// Whatever the file, Check returns.
func FuzzCheck(f *testing.F) {
	whole := library("GetPjrtApi")
	for _, n := range []int{0, 3, 60, 200, len(whole)} {
		f.Add(whole[:n])
	}
	path := filepath.Join(f.TempDir(), "x.so") // of this process: it runs one input at a time
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Check(path); err == nil && !bytes.Contains(data, []byte("GetPjrtApi")) {
			t.Error("passes without the symbol's name")
		}
	})
}
