package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// A pendingFile is written beside the file that it is to be and takes its place
// when it is whole: a full disk or an interrupt leaves what was there before.
type pendingFile struct {
	*os.File
	path string // what it is to be; empty if it is written in place
}

// createPending opens a file that will replace path. What is no regular file,
// such as a pipe, is written in place.
func createPending(path string) (*pendingFile, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		return &pendingFile{file, ""}, err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // the link stays
	}
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d", filepath.Base(path), os.Getpid()))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	return &pendingFile{file, path}, err
}

// commit closes the file and puts it in its place.
func (p *pendingFile) commit() error {
	if err := p.Close(); err != nil {
		p.remove()
		return err
	}
	if p.path == "" {
		return nil
	}
	return os.Rename(p.Name(), p.path)
}

// abandon closes the file and leaves what was there before.
func (p *pendingFile) abandon() {
	p.Close()
	p.remove()
}

func (p *pendingFile) remove() {
	if p.path != "" {
		os.Remove(p.Name())
	}
}
