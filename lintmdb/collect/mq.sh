#!/bin/sh
# Exports the definitions of every queue manager that runs on this host, without passwords. It changes nothing.
# The user needs the authorities for dmpmqcfg that docs/exporting.md of lintmdb lists.
set -u
umask 077
out=@OUT@
mkdir -p "$out" || exit 1
if ! dspmq > "$out/dspmq.log"; then
  echo "dspmq failed: is IBM MQ in PATH?" >&2
  exit 1
fi
printf 'host: %s\ndate: %s\nuser: %s\n' "$(hostname)" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(id -un)" > "$out/MANIFEST.txt"
failed=0
while IFS='()' read -r _ name _ status _; do
  if [ "$status" != Running ]; then
    echo "$name: not exported: $status" >> "$out/MANIFEST.txt"
    continue
  fi
  file=$out/$(printf %s "$name" | tr / _).mqsc
  if dmpmqcfg -m "$name" -a < /dev/null > "$file.part" 2> "$file.log"; then
    sed -e "s/^\([ *]*PASSWORD(\)'.*')/\1'')/" -e "s/^\([ *]*LDAPPWD(\)'.*')/\1'')/" \
      -e "s/^\([ *]*SSLCRYP(\)'.*')/\1'')/" -e "s/^\([ *]*KEYRPWD(\)'.*')/\1'')/" \
      -e "s/^\([ *]*INITKEY(\)'.*')/\1'')/" "$file.part" > "$file"
    echo "$name: $file" >> "$out/MANIFEST.txt"
    rm -f "$file.log"
  else
    echo "$name: not exported: see $file.log" | tee -a "$out/MANIFEST.txt" >&2
    failed=1
  fi
  rm -f "$file.part"
done < "$out/dspmq.log"
rm -f "$out/dspmq.log"
exit $failed
