// Command kubernetes is every process of a cluster of one node, and kubectl. Its first argument, or the name by which it is called, chooses one.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var processes = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllers.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kube-proxy":              proxy.NewProxyCommand,
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
	"kubelet":                 func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
	"name-server":             newNameServerCommand,
}

func main() {
	name := filepath.Base(os.Args[0])
	if processes[name] == nil && len(os.Args) > 1 {
		os.Args = os.Args[1:]
		name = os.Args[0]
	}
	if processes[name] == nil {
		names := slices.Sorted(maps.Keys(processes))
		fmt.Fprintln(os.Stderr, "The first argument must be one of:", strings.Join(names, ", "))
		os.Exit(2)
	}
	os.Exit(cli.Run(processes[name]()))
}
