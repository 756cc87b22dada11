// Builds dist. The command line of tsdown warns whoever has Node 20 of its own next version; its function does not.
import { build } from "tsdown"

await build({ logLevel: "error" })
