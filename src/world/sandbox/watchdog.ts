import { spawn } from "node:child_process"
import type { Socket } from "node:net"
import { listStandInFolders } from "../stores/jsonl/stand-in-folders.ts"
import { hostName } from "./child-environment.ts"
import { hostValue } from "./host.ts"

/**
 * Outlives the host. When its input ends, the host has ended, for whatever reason. Then it kills the
 * processes that still carry the host's mark, and removes stand-ins of the host that no other host needs. All
 * commands wait meanwhile, so it starts a few programs in all, not a few for each path.
 */
const script = `cat >/dev/null
mark=$1 host=$2
shift 2
for round in 1 2 3 4 5; do
  for file in /proc/[0-9]*/environ; do
    id=\${file#/proc/}
    grep -qzxF "$mark=$host" "$file" 2>/dev/null && kill -9 "\${id%/environ}"
  done
  sleep 0.1
done
made() { sed -n 's/^made //p' "$1" 2>/dev/null; }
for guards; do for note in "$guards"/*/"$host".*; do
  grep -q '^complete$' "$note" 2>/dev/null && ! grep -q '^made [^ ]* "' "$note" || continue
  folder=\${note%/*} tries=0
  until ln -s $$ "$folder/.lock" 2>/dev/null; do
    tries=$((tries + 1))
    [ -f "$note" ] && [ $tries -lt 200 ] || continue 2
    owner=$(readlink "$folder/.lock") && ! kill -0 "$owner" 2>/dev/null && rm -f "$folder/.lock"
    sleep 0.05
  done
  own=$(made "$note")
  held=$(for other in "$folder"/*; do [ "$other" = "$note" ] || made "$other"; done)
  (IFS='
'; set -f
  now=$(stat -c '%d:%i:%f %n' -- $(printf '%s\\n' "$own" | cut -d ' ' -f 2-) 2>/dev/null)
  rmdir -- $(printf '%s\\n' "$now" | grep -xF -e "$own" | grep -vxF -e "$held" | cut -d ' ' -f 2-) 2>/dev/null)
  rm -f "$note" "$folder/.lock"
  rmdir "$folder" "$guards" 2>/dev/null
done; done`

let started = false

/** Starts one watchdog for each host, with the first command that needs it. */
export function startWatchdog(): void {
  if (started || process.platform !== "linux") return
  started = true
  const words = [hostName, hostValue, ...listStandInFolders(process.env)]
  const child = spawn("/bin/sh", ["-c", script, "cadre-watchdog", ...words], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
  })
  child.on("error", () => {
    started = false
  })
  child.unref()
  const input = child.stdin as Socket | undefined
  input?.on("error", () => {})
  input?.unref()
}
