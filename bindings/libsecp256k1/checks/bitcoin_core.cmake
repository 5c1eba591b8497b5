# Stands in the folder of the library's source in a copy of Bitcoin Core, where Core's build looks for its own copy.
# SECP256K1_LIBRARY is the shared library that takes its place; SECP256K1_TESTS, a pattern, chooses files of tests.

add_library(secp256k1 SHARED IMPORTED GLOBAL)
set_target_properties(secp256k1 PROPERTIES
    IMPORTED_LOCATION "${SECP256K1_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_LIST_DIR}/include")

# Most of the time goes into reading headers, so those that every file reads are compiled once for each part.
function(choose_tests_and_compile_headers_once)
    get_target_property(files test_bitcoin SOURCES)
    list(FILTER files EXCLUDE REGEX "(^|/)[a-z0-9_]+(tests|transactions)[.]cpp$")
    get_target_property(chosen test_bitcoin SOURCES)
    list(FILTER chosen INCLUDE REGEX "(^|/)(${SECP256K1_TESTS})_tests[.]cpp$")
    set_property(TARGET test_bitcoin PROPERTY SOURCES ${files} ${chosen}
        "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/bitcoin_core.cpp")
    set(standard <algorithm> <chrono> <filesystem> <fstream> <functional> <map> <memory> <optional> <ranges> <set>
        <span> <sstream> <string> <thread> <unordered_map> <variant> <vector>)
    set(node "${CMAKE_SOURCE_DIR}/src/validation.h" "${CMAKE_SOURCE_DIR}/src/rpc/util.h")
    foreach(part bitcoin_util bitcoin_common)
        target_precompile_headers(${part} PRIVATE ${standard})
    endforeach()
    foreach(part bitcoin_node test_util)
        target_precompile_headers(${part} PRIVATE ${standard} ${node})
    endforeach()
    target_precompile_headers(test_bitcoin PRIVATE ${standard} ${node} <boost/test/unit_test.hpp>)
    # To optimise the tests takes longer than to run them as they are.
    target_compile_options(test_bitcoin PRIVATE -O0)
    # The file that brings the framework's main function sets the framework's options first.
    set_source_files_properties("${CMAKE_SOURCE_DIR}/src/test/main.cpp" TARGET_DIRECTORY test_bitcoin
        PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL choose_tests_and_compile_headers_once)
