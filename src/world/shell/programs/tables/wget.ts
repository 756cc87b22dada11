import type { Tables } from "../../table.ts"

/** All options of wget, by package and version. */
export const wgetTables: Readonly<Record<string, Tables>> = {
  "wget 1.21": {
    wget: {
      options: `-A,--accept=text --accept-regex=text --adjust-extension[=text] --no-adjust-extension
        -a,--append-output=write --ask-password[=text] --no-ask-password --auth-no-challenge[=text]
        --no-auth-no-challenge --background[=unclear] --no-background --backup-converted[=text]
        --no-backup-converted --backups[=text] --no-backups -B,--base=text --bind-address=text --body-data=text
        --body-file=read --ca-certificate=read --ca-directory=read-below --cache[=text] --no-cache
        --certificate=read --certificate-type=text --check-certificate[=text] --no-check-certificate
        --clobber[=text] --compression=text --config=settings --connect-timeout=text --continue[=text]
        --no-continue --convert-file-only[=text] --no-convert-file-only --convert-links[=text]
        --no-convert-links --content-disposition[=text] --no-content-disposition --content-on-error[=text]
        --no-content-on-error --cookies[=text] --no-cookies --crl-file=read --cut-dirs=text --debug[=text]
        --no-debug --default-page=unclear --delete-after[=text] --no-delete-after --directories[=text]
        --no-directories -P,--directory-prefix=write-below --dns-cache[=text] --no-dns-cache --dns-timeout=text
        -D,--domains=text --dont-remove-listing --dot-style=text --egd-file=unclear
        -X,--exclude-directories=text --exclude-domains=text -e,--execute=unclear --follow-ftp[=text]
        --no-follow-ftp --follow-tags=text --force-directories[=text] --no-force-directories --force-html[=text]
        --no-force-html --ftp-password=text --ftp-user=text --ftps-clear-data-connection[=text]
        --no-ftps-clear-data-connection --ftps-fallback-to-ftp[=text] --no-ftps-fallback-to-ftp
        --ftps-implicit[=text] --no-ftps-implicit --ftps-resume-ssl[=text] --no-ftps-resume-ssl --glob[=text]
        --no-glob --header=text --host-directories[=text] --no-host-directories --hsts[=text] --no-hsts
        --hsts-file=unclear --html-extension[=text] --no-html-extension --htmlify[=text] --no-htmlify
        --http-keep-alive[=text] --no-http-keep-alive --http-passwd=text --http-password=text --http-user=text
        --https-only[=text] --no-https-only --ignore-case[=text] --no-ignore-case --ignore-length[=text]
        --no-ignore-length --ignore-tags=text -I,--include-directories=text --inet4-only[=text] --no-inet4-only
        --inet6-only[=text] --no-inet6-only -i,--input-file=names --iri[=text] --no-iri --keep-badhash[=text]
        --no-keep-badhash --keep-session-cookies[=text] --no-keep-session-cookies -l,--level=text
        --limit-rate=text --load-cookies=read --local-encoding=text --rejected-log=write --max-redirect=text
        --method=text --mirror[=text] --no-mirror --netrc[=text] --no-netrc --no=text --no-clobber[=text]
        --no-no-clobber --no-config=unclear --no-no-config --no-parent[=text] --no-no-parent
        -O,--output-document=output -o,--output-file=write --page-requisites[=text] --no-page-requisites
        --parent[=text] --passive-ftp[=text] --no-passive-ftp --password=text --pinnedpubkey=unclear
        --post-data=text --post-file=read --prefer-family=text --preserve-permissions[=text]
        --no-preserve-permissions --ciphers=text --private-key=read --private-key-type=text --progress=text
        --show-progress[=text] --no-show-progress --protocol-directories[=text] --no-protocol-directories
        --proxy[=text] --no-proxy --proxy__compat=text --proxy-passwd=text --proxy-password=text
        --proxy-user=text --quiet[=text] --no-quiet -Q,--quota=text --random-file=read --random-wait[=text]
        --no-random-wait --read-timeout=text --recursive[=text] --no-recursive --referer=text --regex-type=text
        -R,--reject=text --reject-regex=text --relative[=text] --no-relative --remote-encoding=text
        --remove-listing[=text] --no-remove-listing --report-speed[=text] --no-report-speed
        --restrict-file-names[=text] --no-restrict-file-names --retr-symlinks[=text] --no-retr-symlinks
        --retry-connrefused[=text] --no-retry-connrefused --retry-on-host-error[=text] --no-retry-on-host-error
        --retry-on-http-error=text --save-cookies=write --save-headers[=text] --no-save-headers
        --secure-protocol=text --server-response[=text] --no-server-response --span-hosts[=unclear] --no-span-hosts
        --spider[=text] --no-spider --start-pos=text --strict-comments[=text] --no-strict-comments
        -T,--timeout=text --timestamping[=text] --no-timestamping --if-modified-since[=text]
        --no-if-modified-since -t,--tries=text --unlink[=text] --no-unlink --trust-server-names[=text]
        --no-trust-server-names --use-askpass=run --use-server-timestamps[=text] --no-use-server-timestamps
        --user=text -U,--user-agent=text --verbose[=text] --no-verbose -w,--wait=text --waitretry=text
        --warc-cdx[=text] --no-warc-cdx --warc-compression[=text] --no-warc-compression --warc-dedup=read
        --warc-digests[=text] --no-warc-digests --warc-file=unclear --warc-header=text --warc-keep-log[=text]
        --no-warc-keep-log --warc-max-size=text --warc-tempdir=write-below --xattr[=text] --no-xattr -b! -c -d
        -k -m -n=text -p -q -r -v -x -E -F -H! -K -L -N -S -Y=text -4 -6 -h -V --help --version`,
      operands: "judged*",
    },
  },
}
