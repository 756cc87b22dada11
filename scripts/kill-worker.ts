/** The process that `kill.ts` kills: runs a tree from its beginning, or from where its log ends, to its end. */
import fs from "node:fs"
import { type Disk, realDisk } from "../src/world/stores/jsonl/disk.ts"
import { jsonlStore } from "../src/world/stores/jsonl.ts"
import type { Order } from "./kill/life.ts"
import { openTree } from "./kill/tree.ts"

const order = JSON.parse(process.argv[2]!) as Order
const ledger = fs.openSync(order.ledger, "a")
const seen = fs.openSync(order.seen, "a")
// A kill in a long write leaves a part of a line, which must not swallow the next one.
fs.writeSync(seen, "\n")
const store = jsonlStore({ directory: order.directory, disk: order.tear ? tearing(order.tear) : realDisk })
const runtime = openTree(store, order, (line) => void fs.writeSync(ledger, line))

fs.writeSync(1, "ready\n")
const handle = order.root === undefined ? runtime.run("lead", "go") : runtime.resume(order.root)
// Emitted events have been recorded, so they must not get lost from here on.
for await (const event of handle)
  if (event.type !== "text-delta") fs.writeSync(seen, `${JSON.stringify(event)}\n`)
await handle.done
await runtime.close()

/** Dies in the middle of a write, so that the file ends in a part of a line. */
function tearing({ write, part }: NonNullable<Order["tear"]>): Disk {
  let writes = 0
  return {
    ...realDisk,
    write(descriptor, bytes) {
      if (++writes < write) return realDisk.write(descriptor, bytes)
      realDisk.write(descriptor, bytes.subarray(0, Math.floor(part * (bytes.length + 1))))
      process.kill(process.pid, "SIGKILL")
      return 0
    },
  }
}
