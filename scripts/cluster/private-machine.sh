#!/bin/bash
# Turns namespaces of its own into the machine of a cluster's node, and runs a program there as process 1: it has its own network, processes and
# mounts, so nothing of them outlives the program. Called by private-machine.ts.
#   private-machine.sh FOLDER NODE HOSTS PROGRAM…    NODE: the address of the machine; HOSTS: names with this address
set -eu
folder=$1 node=$2 hosts=$3
shift 3

mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /dev/shm
# In memory, because the folder may be on a filesystem on which overlays cannot be.
mkdir "$folder/memory"
mount -t tmpfs -o size=64g tmpfs "$folder/memory"
mkdir "$folder/memory/kernel"
# Files that the processes of the cluster write into folders of the machine stay in memory.
for path in /etc /opt /usr/libexec /var/lib /var/log; do
  upper=$folder/memory/over${path//\//-}
  mkdir "$upper" "$upper.work"
  mount -t overlay -o "lowerdir=$path,upperdir=$upper,workdir=$upper.work" overlay "$path"
done

# A name that is not answered at once would delay a process of the cluster.
rm -f /etc/resolv.conf
echo "nameserver $node" >/etc/resolv.conf
# In a container, the file that names localhost is a mount, which the overlay hides.
printf '%s\n' "127.0.0.1 localhost" "$node $hosts" >>/etc/hosts

ip link set lo up
ip link add node type veth peer name outside
ip link set outside up
ip link set node up
ip address add "$node/24" dev node
ip route add default dev node
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 1 >/proc/sys/net/ipv4/conf/all/route_localnet

# kubelet changes these settings of the kernel, which belong to the whole machine, unless it finds its own values.
while read -r setting value; do
  file=$folder/memory/kernel/${setting##*/}
  echo "$value" >"$file"
  mount --bind "$file" "/proc/sys/$setting"
done <<END
vm/overcommit_memory 1
vm/panic_on_oom 0
kernel/panic 10
kernel/panic_on_oops 1
kernel/keys/root_maxkeys 1000000
kernel/keys/root_maxbytes 25000000
END
exec "$@"
