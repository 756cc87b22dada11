import { spawn } from "node:child_process"
import type { Socket } from "node:net"
import { standInFolders } from "../stores/jsonl/stand-in-folders.ts"
import { hostName } from "./child-environment.ts"
import { hostValue } from "./host.ts"

/**
 * Outlives the host: when its input ends, which is when the host does however that comes about, it kills what still
 * carries the host's mark, and takes away what the sandbox put into workspaces for it and nobody else needs. While it does
 * that everybody's commands wait, so it starts few programs for it, not a few for each place.
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

/** One for each host, with the first command that needs it. */
export function startWatchdog(): void {
  if (started || process.platform !== "linux") return
  started = true
  const words = [hostName, hostValue, ...standInFolders(process.env)]
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
