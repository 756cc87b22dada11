import { spawn } from "node:child_process"
import type { Socket } from "node:net"
import { guardFolder } from "./guards.ts"
import { hostName, hostValue } from "./host.ts"

/**
 * Outlives the host: when its input ends, which is when the host does however that comes about, it kills what still
 * carries the host's mark, and takes away what the sandbox put into workspaces for it and nobody else needs. While it does
 * that everybody's commands wait, so it starts few programs for it, not a few for each place.
 */
const script = `cat >/dev/null
mark=$1 host=$2 guards=$3
for round in 1 2 3 4 5; do
  for file in /proc/[0-9]*/environ; do
    id=\${file#/proc/}
    grep -qzxF "$mark=$host" "$file" 2>/dev/null && kill -9 "\${id%/environ}"
  done
  sleep 0.1
done
for note in "$guards"/*/*."$host".*; do
  [ -f "$note" ] && ! grep -q '^"' "$note" || continue
  folder=\${note%/*} tries=0
  until ln -s $$ "$folder/lock" 2>/dev/null; do
    tries=$((tries + 1))
    [ -f "$note" ] && [ $tries -lt 200 ] || continue 2
    owner=$(readlink "$folder/lock") && ! kill -0 "$owner" 2>/dev/null && rm -f "$folder/lock"
    sleep 0.05
  done
  places=$(cat "$note")
  rm -f "$note"
  held=$(cat "$folder"/* 2>/dev/null)
  (IFS='
'; set -f; rmdir -- $(printf '%s\\n' "$places" | grep -vxF -e "$held") 2>/dev/null)
  rm -f "$folder/lock"
  rmdir "$folder" "$guards" 2>/dev/null
done`

let started = false

/** One for each host, with the first command that needs it. */
export function startWatchdog(): void {
  if (started || process.platform !== "linux") return
  started = true
  const child = spawn("/bin/sh", ["-c", script, "cadre-watchdog", hostName, hostValue, guardFolder()], {
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
