const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

// Imported first by every entry point, so that an old Node prints this and not an error about syntax.
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `cadre needs Node 20.19 or newer; this is ${process.version}. Install a newer one from https://nodejs.org.\n`,
  )
  process.exit(1)
}
