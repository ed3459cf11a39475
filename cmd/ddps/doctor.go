package main

import "github.com/spf13/cobra"

func newDoctorCmd(a *app) *cobra.Command { return &cobra.Command{Use: "doctor"} }
