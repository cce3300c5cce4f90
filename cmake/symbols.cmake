# The symbols file of a Debian package: cmake -DGENSYMBOLS=... -DPACKAGE=libunshade0 -DVERSION=0.1.0 -DLIBRARY=... -DFOLDER=... -P symbols.cmake
# dpkg-gensymbols wants a debian/control around it.
file(WRITE ${FOLDER}/debian/control "Source: unshade\n\nPackage: ${PACKAGE}\nArchitecture: any\n")
execute_process(COMMAND ${GENSYMBOLS} -p${PACKAGE} -v${VERSION} -e${LIBRARY} -O${FOLDER}/symbols WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status
  OUTPUT_QUIET ERROR_VARIABLE said)
if(NOT status EQUAL 0)
  # Of no library of this machine's: only the packages want the file, and cpack says so where it is missing.
  message(WARNING "dpkg-gensymbols: ${said}")
endif()
