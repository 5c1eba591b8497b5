// Signs and verifies with Bitcoin Core's own MuSig2 code: its unit tests outside of the wallet stop at sums of keys.
// Compiled into Core's test_bitcoin by the check `bitcoin_core`.

#include <key.h>
#include <key_io.h>
#include <musig.h>
#include <policy/policy.h>
#include <script/descriptor.h>
#include <script/interpreter.h>
#include <script/sign.h>
#include <script/signingprovider.h>
#include <test/util/setup_common.h>
#include <util/strencodings.h>

#include <boost/test/unit_test.hpp>

namespace {
constexpr size_t SIGNERS{3};
constexpr CAmount AMOUNT{100'000};

struct CoSigner {
    std::map<uint256, MuSig2SecNonce> nonces;
    FlatSigningProvider keys;
};

// Both forms of a participant: with the secret for itself, without for the others.
using Participant = std::pair<std::string, std::string>;

Participant SingleKey()
{
    const CKey key{GenerateRandomKey()};
    return {EncodeSecret(key), HexStr(key.GetPubKey())};
}

Participant ExtendedKey()
{
    CExtKey key;
    key.SetSeed(GenerateRandomKey());
    return {EncodeExtKey(key), EncodeExtPubKey(key.Neuter())};
}

// The descriptor is `before`, the participants, `after`.
void SignTogether(Participant (*participant)(), const std::string& before, const std::string& after)
{
    BOOST_TEST_CONTEXT(before << "..." << after) {
    std::vector<Participant> participants;
    for (size_t i = 0; i < SIGNERS; ++i) participants.push_back(participant());

    std::array<CoSigner, SIGNERS> signers;
    CScript script;
    for (size_t i = 0; i < SIGNERS; ++i) {
        std::string text;
        for (size_t j = 0; j < SIGNERS; ++j) {
            text += (j == 0 ? "" : ",") + (i == j ? participants[j].first : participants[j].second);
        }
        auto& keys{signers[i].keys};
        keys.musig2_secnonces = &signers[i].nonces;
        std::string error;
        const auto descriptors{Parse(before + text + after, keys, error)};
        BOOST_REQUIRE_MESSAGE(descriptors.size() == 1, error);
        std::vector<CScript> scripts;
        BOOST_REQUIRE(descriptors[0]->Expand(/*pos=*/7, keys, scripts, keys));
        descriptors[0]->ExpandPrivate(/*pos=*/7, keys, keys);
        BOOST_REQUIRE_EQUAL(scripts.size(), 1U);
        BOOST_CHECK(i == 0 || script == scripts[0]);
        script = scripts[0];
    }

    CMutableTransaction spend;
    spend.vin.resize(1);
    spend.vout.emplace_back(AMOUNT / 2, script);
    PrecomputedTransactionData data;
    data.Init(spend, {CTxOut{AMOUNT, script}}, /*force=*/true);
    const MutableTransactionSignatureCreator creator{spend, 0, AMOUNT, &data, {.sighash_type = SIGHASH_DEFAULT}};

    // Two rounds, of nonces and of partial signatures. Then anyone can aggregate these.
    SignatureData shared;
    for (size_t round = 0; round < 2; ++round) {
        for (auto& signer : signers) {
            BOOST_CHECK(!ProduceSignature(signer.keys, creator, script, shared));
            BOOST_CHECK_EQUAL(signer.nonces.size(), 1 - round);
        }
    }
    BOOST_REQUIRE(ProduceSignature(signers[0].keys, creator, script, shared));

    UpdateInput(spend.vin[0], shared);
    const MutableTransactionSignatureChecker checker{&spend, 0, AMOUNT, data, MissingDataBehavior::FAIL};
    auto& input{spend.vin[0]};
    const auto valid{[&] {
        return VerifyScript(input.scriptSig, script, &input.scriptWitness, STANDARD_SCRIPT_VERIFY_FLAGS, checker);
    }};
    BOOST_CHECK(valid());
    input.scriptWitness.stack[0][40] ^= 1;
    BOOST_CHECK(!valid());
    }
}
} // namespace

BOOST_FIXTURE_TEST_SUITE(musig_signing_tests, BasicTestingSetup)

BOOST_AUTO_TEST_CASE(key_path)
{
    SignTogether(SingleKey, "rawtr(musig(", "))");
    SignTogether(SingleKey, "tr(musig(", "))");
}

BOOST_AUTO_TEST_CASE(derived_keys)
{
    SignTogether(ExtendedKey, "tr(musig(", ")/0/*)");
    SignTogether(ExtendedKey, "rawtr(musig(", ")/1/*)");
}

BOOST_AUTO_TEST_CASE(script_path)
{
    // The internal key of BIP 341 whose secret key nobody knows.
    const std::string internal{"50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0"};
    SignTogether(SingleKey, "tr(" + internal + ",pk(musig(", ")))");
    SignTogether(ExtendedKey, "tr(" + internal + ",pk(musig(", ")/0/*))");
}

BOOST_AUTO_TEST_SUITE_END()
