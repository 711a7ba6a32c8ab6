#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shots.sh PROGRAMS FOLDER: the window's pictures, light and dark; the README shows two of them.
set -euo pipefail
programs=$1 folder=$2
mkdir -p "$folder"

shot() { # NAME STEPS [ARGUMENTS]
    local name=$1 steps=$2
    shift 2
    "$programs/shots" --theme "$theme" "$folder/$name-$theme.png" "$steps" "$@"
}

burst="arm PUT /logicalNetworks/Transit/subnets/Rack-1 client A; arm PUT /logicalNetworks/Transit/subnets/Rack-2 client B;
    arm DELETE /logicalNetworks/Transit client C"
for theme in light dark; do
    shot window "PUT /logicalNetworks/Transit/subnets/Rack-1 client A duration 4000; wait 1200;
        DELETE /logicalNetworks/Transit/subnets/Rack-2 client B; wait 300;
        DELETE /logicalNetworks/Transit client C duration 4000; wait 500; select /logicalNetworks/Transit/subnets/Rack-1"
    shot outcomes "$burst; outcomes; story 1 0"
    shot editing "select /leases/workshop; room edit; pick ACTIVE STARTING" blazar
    shot lesson "next; next" resources/lessons/network-controller/09-a-child-takes-over.md
    shot blazar "start_lease /leases/workshop client A duration 4000; wait 600; update_lease /leases/rendering client B duration 4000;
        wait 500; delete_lease /leases/workshop client C; wait 200; select /leases/workshop" blazar
    shot pulumi "manage /resources/network client A duration 400; wait 60; delete /resources/bucket client B; wait 700;
        select /resources/network" pulumi
    shot aps "provision /resources/vps-1 client A; wait 200; configure /resources/vps-2 client B; wait 31000;
        unprovision /resources/vps-1 client C; wait 100; select /resources/vps-1" aps
    # A server in another process, and a burst of three clients.
    exec {server}< <(exec "$programs/instar-cli" serve network-controller --speed 0.1)
    process=$!
    read -r -u "$server" url
    shot network "wait 1500; write; $burst; together; wait 2500; select /logicalNetworks/Transit/subnets/Rack-1" \
        --connect "${url##* }"
    kill "$process"
    exec {server}<&-
done
echo "Pictures are in $folder; the README shows those in resources/help." >&2
