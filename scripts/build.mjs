// Builds dist. On Node 20 the command line of tsdown warns about its own next version; its function does not.
import { build } from "tsdown"

await build({ logLevel: "error" })
