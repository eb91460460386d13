// Which arguments are kept as they are, and which are masked.
#include "runtime/shim/secrets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace syncsniff::shim {
namespace {

std::string masked(const std::vector<std::string>& words, size_t room = 4096) {
  std::string bytes;
  for (const auto& word : words) bytes += word + '\0';
  std::string out(room, '\0');
  out.resize(mask_secrets(bytes.data(), bytes.size(), out.data(), room));
  std::string text;
  for (const char c : out) text += c == '\0' ? '|' : c;
  return text;
}

TEST(Secrets, AValueThatIsNamedLikeASecretIsMasked) {
  EXPECT_EQ(masked({"train", "--api-key=X1", "-v"}), "train|--api-key=***|-v|");
  EXPECT_EQ(masked({"train", "--api-key", "X1", "-v"}), "train|--api-key|***|-v|");
  for (const char* name : {"--token", "--password", "--secret", "--hf_token", "--hfToken", "-apikey", "--db.passwd"}) {
    EXPECT_EQ(masked({name, "X1", "last"}), std::string(name) + "|***|last|") << name;
    EXPECT_EQ(masked({std::string(name) + "=X 1,2", "last"}), std::string(name) + "=***|last|") << name;
  }
  EXPECT_EQ(masked({"WANDB_API_KEY=X1", "HF_TOKEN=X2", "+logger.api_key=X3"}),
            "WANDB_API_KEY=***|HF_TOKEN=***|+logger.api_key=***|");
  EXPECT_EQ(masked({"env", "AWS_KEY_2=X1", "python"}), "env|AWS_KEY_2=***|python|");
  EXPECT_EQ(masked({"++hub.token=X1,X2", "~x.password=X1;X2"}), "++hub.token=***|~x.password=***|");
}

TEST(Secrets, AValueThatBeginsAsAnOptionDoesIsMaskedToo) {
  EXPECT_EQ(masked({"--api-key", "--X1", "-v"}), "--api-key|***|-v|");
  EXPECT_EQ(masked({"--api-key", "--X1=a.b", "last"}), "--api-key|***|last|");
  EXPECT_EQ(masked({"--api-key", "-X1", "last"}), "--api-key|***|last|");
  EXPECT_EQ(masked({"--api-key", "--", "last"}), "--api-key|***|last|");
}

TEST(Secrets, AnOptionAfterTheNameCostsThatWordAlone) {
  EXPECT_EQ(masked({"--token", "--steps", "12"}), "--token|***|12|");
  EXPECT_EQ(masked({"--token", "--token", "X"}), "--token|***|***|");
  EXPECT_EQ(masked({"--use-auth", "--hub-token", "X", "last"}), "--use-auth|***|***|last|");
  EXPECT_EQ(masked({"--token"}), "--token|");
}

TEST(Secrets, WhatLooksLikeOneIsMaskedWhereverItStands) {
  EXPECT_EQ(masked({"hf_abcdefghijklmnopqrst"}), "***|");
  EXPECT_EQ(masked({"--login", "sk-proj-abcdefghijklmnop1234"}), "--login|***|");
  EXPECT_EQ(masked({"--id=AKIAIOSFODNN7EXAMPLE"}), "--id=***|");
  EXPECT_EQ(masked({"Authorization: Bearer ya29.ab/cdefghijklmno+p=="}), "Authorization: ***|");
  EXPECT_EQ(masked({"-c", "login('hf_abcdefghijklmnopqrst')"}), "-c|login('***')|");
  EXPECT_EQ(masked({"-c", "login(token='abc', retry=2)"}), "-c|login(token='***', retry=2)|");
  EXPECT_EQ(masked({"https://me:pass@host/data?api_key=X1&part=2"}), "https://me:***@host/data?api_key=***&part=2|");
  EXPECT_EQ(masked({"--db=mysql://me:p@ss@host/x"}), "--db=mysql://me:***@host/x|");
}

TEST(Secrets, NamesWithAColonAreNamesToo) {
  EXPECT_EQ(masked({"{\"api_key\":\"S 1\", \"steps\": 2}"}), "{\"api_key\":\"***\", \"steps\": 2}|");
  EXPECT_EQ(masked({"--cfg", "{'token': 'S'}"}), "--cfg|{'token': '***'}|");
  EXPECT_EQ(masked({"--password:S", "last"}), "--password:***|last|");
  EXPECT_EQ(masked({"key::Type", "token://host/x"}), "key::Type|token://host/x|");
}

TEST(Secrets, OneWordInAnAddressIsAUserUnlessItIsLong) {
  EXPECT_EQ(masked({"ssh://git@host/x"}), "ssh://git@host/x|");
  EXPECT_EQ(masked({"https://a0123456789abcdef0123@host/x"}), "https://***@host/x|");
  EXPECT_EQ(masked({"eyJhbGciOiJIUzI1NiIsInR5cCI6.eyJzdWIi.c2ln"}), "***|");
}

TEST(Secrets, OtherArgumentsAreKept) {
  const std::vector<std::string> words{
      "python", "train.py", "--max-tokens=512", "--tokenizer",      "gpt2",     "--lr=1e-3", "--monkey=1", "",
      "--keys", "a",        "risk-averse",      "https://host:80/", "token==3", "hf_short",  "disk-12"};
  std::string expected;
  for (const auto& word : words) expected += word + "|";
  EXPECT_EQ(masked(words), expected);
}

TEST(Secrets, WhatIsCutIsCutAfterMasking) {
  EXPECT_EQ(masked({"train", "--token=0123456789"}, 12), "train|--toke");
  EXPECT_EQ(masked({"train", "--token=0123456789"}, 16), "train|--token=**");
  EXPECT_EQ(masked({}, 4), "");
}

}  // namespace
}  // namespace syncsniff::shim
