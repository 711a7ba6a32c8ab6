# SPDX-License-Identifier: Apache-2.0
# tst_*.cpp are tests, bench/*.cpp benchmarks, fuzz/fuzz_*.cpp fuzzers; a new file needs no line here.

file(GLOB fuzzers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/fuzz_*.cpp)

if(INSTAR_FUZZ)
    add_custom_target(fuzzers)
    foreach(file IN LISTS fuzzers)
        cmake_path(GET file STEM name)
        add_executable(${name} ${file})
        target_link_libraries(${name} PRIVATE statecharts openapi remote)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzzers ${name})
    endforeach()
    return()
endif()

find_package(benchmark QUIET)
find_package(Qt6 QUIET OPTIONAL_COMPONENTS Scxml)

# ---- Benchmarks: not in `all`

add_custom_target(benches)
file(GLOB benches CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/bench/*.cpp)
if(NOT benchmark_FOUND)
    set(benches)
endif()
foreach(file IN LISTS benches)
    cmake_path(GET file STEM name)
    add_executable(${name} EXCLUDE_FROM_ALL ${file})
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/bench)
    target_compile_definitions(${name} PRIVATE INSTAR_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE statecharts remote Qt6::Gui Boost::headers benchmark::benchmark
        $<TARGET_NAME_IF_EXISTS:Qt6::Scxml>)
    if(name MATCHES "^bench_(editing|timeline|window)$")
        target_link_libraries(${name} PRIVATE window)
    endif()
    add_dependencies(benches ${name})
endforeach()

# ---- The soak: not in `all`

add_executable(soak EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/soak/soak.cpp)
target_link_libraries(soak PRIVATE remote)

# ---- Screenshots of the window; the tests of crashes and of servers use it, too

add_executable(shots ${CMAKE_SOURCE_DIR}/tests/shots/shots.cpp)
target_link_libraries(shots PRIVATE window)

# ---- Tests

find_package(Qt6 REQUIRED COMPONENTS Test)
# ./dev run installs what the program needs, not what its tests need.
find_package(rapidcheck QUIET)
if(NOT rapidcheck_FOUND)
    message(STATUS "rapidcheck is missing: the tests are left out")
    return()
endif()

add_test(NAME configures_without_tests
    COMMAND ${CMAKE_COMMAND} -S ${CMAKE_SOURCE_DIR} -B ${CMAKE_BINARY_DIR}/without-tests -G ${CMAKE_GENERATOR}
        -DCMAKE_DISABLE_FIND_PACKAGE_rapidcheck=ON)

gather(support_files tests/support)
set(main_file ${CMAKE_SOURCE_DIR}/tests/support/testclass.cpp)
list(REMOVE_ITEM support_files ${main_file})
add_layer(testsupport "${support_files}" "statecharts;Qt6::Test;rapidcheck")

# Tests are compiled once and run once: the compiler's optimiser costs more than it saves.
function(compile_quickly target)
    if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
        target_compile_options(${target} PRIVATE -O0 -g0)
    endif()
endfunction()

# What all tests without a window link, those of documents, and those with a window. A precompiled header serves
# everybody who links the same: it takes as long to make as two tests, and 270 MB.
function(add_test_kind name links)
    add_library(${name} STATIC ${main_file})
    compile_quickly(${name})
    target_compile_definitions(${name} PUBLIC INSTAR_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    target_link_libraries(${name} PUBLIC testsupport ${links})
    if(NOT name STREQUAL "documenttests")
        target_precompile_headers(${name} PRIVATE <QtCore> <QtTest> <rapidcheck.h>)
    endif()
endfunction()
add_test_kind(plaintests "openapi;remote;$<TARGET_NAME_IF_EXISTS:Qt6::Scxml>") # Qt's own machine is a yardstick
add_test_kind(documenttests document)
add_test_kind(windowtests window)

# A private folder keeps Qt from writing to stderr about a missing one.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/runtime)
file(CHMOD ${CMAKE_BINARY_DIR}/runtime PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(environment QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=${CMAKE_BINARY_DIR}/runtime
    INSTAR_SOURCE_DIR=${CMAKE_SOURCE_DIR}
    LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0)
if(TARGET instar-cli)
    list(APPEND environment INSTAR_CLI=$<TARGET_FILE:instar-cli>)
endif()
if(TARGET instar)
    list(APPEND environment INSTAR_APP=$<TARGET_FILE:instar>)
endif()
list(APPEND environment INSTAR_SHOTS=$<TARGET_FILE:shots>)

# Instrumented programs are several times slower.
set(timeout 300)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    set(timeout 1800)
endif()

# The tests of a folder are one program, tests_FOLDER; each file of it is a test of its own.
file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/tst_*.cpp)
foreach(file IN LISTS tests)
    cmake_path(GET file STEM name)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    set(program tests_${folder})
    if(NOT TARGET ${program})
        set(kind plaintests)
        if(folder MATCHES "^(app|drawing|items|views)$")
            set(kind windowtests)
        elseif(folder STREQUAL "document")
            set(kind documenttests)
        endif()
        add_executable(${program})
        compile_quickly(${program})
        target_link_libraries(${program} PRIVATE ${kind})
        if(NOT kind STREQUAL "documenttests")
            target_precompile_headers(${program} REUSE_FROM ${kind})
        endif()
        if(programs AND folder MATCHES "^(app|cli)$")
            add_dependencies(${program} ${programs} shots)
        endif()
    endif()
    target_sources(${program} PRIVATE ${file})
    add_test(NAME ${name} COMMAND ${program} ${name})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}" TIMEOUT ${timeout})
endforeach()

# Every fuzzer is also a test: it must take the kept corpus, and that damaged. All are one program, so each has a name of
# its own there.
set(declarations)
set(subjects)
foreach(file IN LISTS fuzzers)
    cmake_path(GET file STEM name)
    string(REGEX REPLACE "^fuzz_" "" subject ${name})
    set_source_files_properties(${file} PROPERTIES COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=${name})
    string(APPEND declarations "Fuzzer ${name};\n")
    string(APPEND subjects "    { \"${subject}\", ${name} },\n")
    set(corpus ${CMAKE_SOURCE_DIR}/tests/data/corpus/${subject})
    if(IS_DIRECTORY ${corpus})
        add_test(NAME replay_${subject} COMMAND replay ${subject} ${corpus} --mutants 3000)
        set_tests_properties(replay_${subject} PROPERTIES ENVIRONMENT "${environment}" TIMEOUT ${timeout})
    endif()
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/tests/fuzz/subjects.h @ONLY CONTENT
"#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

using Fuzzer = int(const std::uint8_t *data, std::size_t size);
extern \"C\" {
@declarations@}
constexpr std::pair<std::string_view, Fuzzer *> subjects[] {
@subjects@};
")
add_executable(replay ${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cpp ${fuzzers})
set_target_properties(replay PROPERTIES AUTOMOC OFF)
target_include_directories(replay PRIVATE ${CMAKE_BINARY_DIR}/generated)
target_link_libraries(replay PRIVATE statecharts openapi remote)
