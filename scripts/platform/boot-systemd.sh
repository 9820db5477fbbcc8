#!/bin/bash
# Boots Debian's systemd as process 1 in namespaces of its own, on a copy of this machine that is written to memory. Nothing changes outside.
# Network and processor are shared with the machine. Needs root. Ends when systemd ends.
#   boot-systemd.sh FOLDER    an empty folder for mounts
set -eu
folder=$1
cgroups=$folder/cgroups
group=$cgroups/$(basename "$folder")
root=$folder/memory/root

# systemd asks for a cgroup tree: version 2, or the named one of version 1.
mount_cgroups() {
  if [ "$(stat --file-system --format=%T /sys/fs/cgroup)" = cgroup2fs ]; then
    mount -t cgroup2 cgroup2 "$1"
  else
    mount -t cgroup -o none,name=systemd cgroup "$1"
  fi
}

if [ "${2:-}" != inside ]; then
  mkdir -p "$cgroups"
  mount --make-rprivate /
  mount_cgroups "$cgroups"
  mkdir "$group"
  (
    echo "$BASHPID" >"$group/cgroup.procs"
    exec unshare --cgroup --pid --fork --kill-child --uts --ipc --mount bash "$0" "$folder" inside
  ) || true
  find "$group" -depth -type d -exec rmdir {} +
  exit
fi

mkdir -p "$folder/memory"
mount -t tmpfs -o size=4g tmpfs "$folder/memory"
mkdir "$folder/memory/changed" "$folder/memory/work" "$root"
mount -t overlay -o "lowerdir=/,upperdir=$folder/memory/changed,workdir=$folder/memory/work" overlay "$root"
cd "$root"
mount --rbind /dev dev
mount -t proc proc proc
# The kernel's settings belong to the machine.
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs sys/fs/cgroup
if [ "$(stat --file-system --format=%T /sys/fs/cgroup)" = cgroup2fs ]; then
  mount_cgroups sys/fs/cgroup
else
  mkdir sys/fs/cgroup/systemd
  mount_cgroups sys/fs/cgroup/systemd
fi
# Services of the machine do not start a second time.
rm -rf etc/systemd/system/*.wants
# At boot it removes everything below /tmp, which holds the certificates of the trial.
ln -s /dev/null etc/systemd/system/systemd-tmpfiles-setup.service
exec env --ignore-environment container=reports PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  chroot . /lib/systemd/systemd --unit=basic.target
