# SPDX-License-Identifier: Apache-2.0
# What is installed beside the programs, and the Debian package that holds it all (./dev package).

set(desktop ${CMAKE_SOURCE_DIR}/resources/desktop)
set(made ${CMAKE_BINARY_DIR}/documents)

# ---- The manual pages and the change list, compressed as Debian wants them

file(MAKE_DIRECTORY ${made})
find_program(GZIP gzip REQUIRED)
add_custom_command(OUTPUT ${made}/instar-cli.1.gz ${made}/instar.1.gz ${made}/changelog.gz
    COMMAND ${GZIP} -9nc ${desktop}/instar-cli.1 > ${made}/instar-cli.1.gz
    COMMAND ${GZIP} -9nc ${desktop}/instar.1 > ${made}/instar.1.gz
    COMMAND ${GZIP} -9nc ${desktop}/changelog > ${made}/changelog.gz
    DEPENDS ${desktop}/instar-cli.1 ${desktop}/instar.1 ${desktop}/changelog
    VERBATIM)
add_custom_target(documents ALL DEPENDS ${made}/instar-cli.1.gz)

# ---- Installing

install(TARGETS ${programs} RUNTIME)
install(FILES ${desktop}/instar.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${desktop}/org.instar.instar.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${desktop}/instar-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME instar.xml)
install(FILES ${CMAKE_SOURCE_DIR}/resources/icons/instar.svg
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES ${made}/instar.1.gz ${made}/instar-cli.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${desktop}/copyright ${made}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})

# ---- The package

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME instar)
set(CPACK_PACKAGE_CONTACT "The maintainers of Instar <instar@users.noreply.github.com>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What is loaded and not linked: the platform, the letters.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "qt6-qpa-plugins, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS qt6-wayland)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "visual explorer and editor for lifecycle state machines")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Instar shows what resources go through while controllers create, change and
delete them, and what happens when operations collide: as a live statechart
and as a timeline of the resource tree. Packs describe systems; they
can be played by hand, edited while they run, served over HTTP, and compared
with what a real server does.")
include(CPack)
