# Run by CPack on the staged files, before they are packed: what Debian's policy wants of a package.
if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
find_program(GZIP gzip REQUIRED)

function(compress file)
  execute_process(COMMAND ${GZIP} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# finish(<group> <package>)
function(finish group package)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${group}/usr)
  if(NOT EXISTS ${root})
    return()
  endif()
  file(GLOB pages ${root}/share/man/man1/*.1)
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()

  set(documents ${root}/share/doc/${package})
  file(REMOVE ${documents}/LICENSE) # copyright says it
  file(COPY ${CPACK_SYNCSNIFF_PACKAGING}/copyright DESTINATION ${documents} # file(INSTALL) would heed CPack's DESTDIR
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH, where it is set
  file(WRITE ${documents}/changelog "${package} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}; /usr/share/doc/syncsniff/CHANGELOG.md tells what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  compress(${documents}/changelog)
endfunction()

# A library that programs do not link stands below the machine's own folder; in usr/lib/syncsniff CPack takes it for one
# that ldconfig must hear of.
function(move_shim)
  set(libraries ${CPACK_TEMPORARY_DIRECTORY}/run/usr/lib)
  if(EXISTS ${libraries}/syncsniff)
    file(MAKE_DIRECTORY ${libraries}/x86_64-linux-gnu)
    file(RENAME ${libraries}/syncsniff ${libraries}/x86_64-linux-gnu/syncsniff)
  endif()
endfunction()

move_shim()
finish(run syncsniff-run)
finish(check syncsniff)
