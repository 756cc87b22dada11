/** The process that the demo kills, and the one that goes on: starts the run, or picks it up where its log ends. */
import { openNewsroom, placesIn } from "./newsroom.ts"

const [folder = "", run] = process.argv.slice(2)
const newsroom = openNewsroom(folder)
await (run === undefined
  ? newsroom.run("editor", "Get article.md ready to print.", { cwd: placesIn(folder).desk })
  : newsroom.resume(run)
).done
await newsroom.close()
