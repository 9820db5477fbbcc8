package main

import (
	"context"
	"net"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/net/dns/dnsmessage"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const serviceDomain = ".svc.cluster.local."

// nameServer answers with the addresses of Services, and for other names with those of hosts.
type nameServer struct {
	services kubernetes.Interface
	hosts    map[string]string
}

func newNameServerCommand() *cobra.Command {
	var listen, kubeconfig string
	var hosts map[string]string
	command := &cobra.Command{
		Use: "name-server",
		RunE: func(*cobra.Command, []string) error {
			config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
			if err != nil {
				return err
			}
			// By default a client sends five requests per second, and pods ask for each name several times.
			config.QPS = -1
			services, err := kubernetes.NewForConfig(config)
			if err != nil {
				return err
			}
			return nameServer{services, hosts}.serve(listen)
		},
	}
	command.Flags().StringVar(&listen, "listen", "", "address and port")
	command.Flags().StringVar(&kubeconfig, "kubeconfig", "", "path of the file with the credentials")
	command.Flags().StringToStringVar(&hosts, "hosts", nil, "names of hosts with their addresses: NAME=ADDRESS,…")
	return command
}

func (s nameServer) serve(listen string) error {
	connection, err := net.ListenPacket("udp", listen)
	if err != nil {
		return err
	}
	buffer := make([]byte, 4096)
	for {
		length, caller, err := connection.ReadFrom(buffer)
		if err != nil {
			return err
		}
		var query dnsmessage.Message
		if query.Unpack(buffer[:length]) != nil || len(query.Questions) != 1 {
			continue
		}
		packed, err := s.answer(query).Pack()
		if err != nil {
			continue
		}
		if _, err := connection.WriteTo(packed, caller); err != nil {
			return err
		}
	}
}

func (s nameServer) answer(query dnsmessage.Message) *dnsmessage.Message {
	question := query.Questions[0]
	reply := &dnsmessage.Message{
		Header:    dnsmessage.Header{ID: query.ID, Response: true, Authoritative: true, RecursionDesired: query.RecursionDesired, RecursionAvailable: true},
		Questions: query.Questions,
	}
	address := net.ParseIP(s.find(strings.ToLower(question.Name.String()))).To4()
	if address == nil {
		reply.RCode = dnsmessage.RCodeNameError
	} else if question.Type == dnsmessage.TypeA {
		reply.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET, TTL: 1},
			Body:   &dnsmessage.AResource{A: [4]byte(address)},
		}}
	}
	return reply
}

// find returns the IPv4 address of a name that ends with a dot. Returns "" if nothing has that name.
func (s nameServer) find(name string) string {
	path, isService := strings.CutSuffix(name, serviceDomain)
	if !isService {
		return s.hosts[strings.TrimSuffix(name, ".")]
	}
	service, namespace, _ := strings.Cut(path, ".")
	if strings.Contains(namespace, ".") {
		return ""
	}
	found, err := s.services.CoreV1().Services(namespace).Get(context.Background(), service, meta.GetOptions{})
	if err != nil {
		return ""
	}
	return found.Spec.ClusterIP
}
