// Walks one function's body in source order and records its events, regions and flows.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/guards.h"
#include "analyzer/facts/loops.h"
#include "analyzer/facts/plain.h"
#include "analyzer/facts/project_files.h"
#include "analyzer/facts/rarity.h"
#include "analyzer/facts/truth_tensors.h"
#include "analyzer/facts/values.h"

namespace syncsniff::facts {

// `for (...)`, `if (...)`: from the keyword to just before the body.
clang::SourceRange head_of(const clang::Stmt* stmt, const clang::Stmt* body);

class FunctionWalker {
 public:
  // `lambdas`: call operators found inside, to be walked as functions of their own.
  FunctionWalker(const clang::ASTContext& context, const ApiTable& apis, const ProjectFiles& project,
                 const Writes& writes, UnitFacts& unit,
                 std::vector<std::pair<const clang::FunctionDecl*, std::string>>& lambdas, int torch_version)
      : context_(context),
        apis_(apis),
        project_(project),
        writes_(writes),
        rarity_(context, apis, writes),
        truths_(apis, writes),
        plain_(context, apis),
        unit_(unit),
        lambdas_(lambdas),
        torch_version_(torch_version),
        values_(context, apis) {}

  void walk(const clang::FunctionDecl* decl, const std::string& owner);

 private:
  // statements (walker.cpp)
  void statement(const clang::Stmt* stmt);
  void cases(const clang::SwitchStmt* stmt);
  Guard guard_of_case(const clang::CompoundStmt* body, const clang::Stmt* label) const;
  void in_run(const clang::Stmt* before, const clang::Stmt* child);
  bool says_why(const clang::Stmt* leaving) const;
  void after_early_exit(const clang::Stmt* stmt, const clang::CompoundStmt* block);
  void scoped(const clang::Stmt* stmt);
  void branch(const clang::Stmt* body, const clang::Expr* condition, bool taken, const clang::Stmt* head);
  bool runs_once_at_most() const;
  void ask_rarity(Guard& guard, const clang::Expr* condition, bool taken, const clang::Stmt* body,
                  const clang::Stmt* after) const;
  Guard guard_of(const clang::Expr* condition, bool taken, const clang::Stmt* body) const;
  void if_statement(const clang::IfStmt* stmt);
  void declaration(const clang::VarDecl* var);
  void note_referred(const clang::VarDecl* var, const Value& bound);
  void same_elements(const std::string& one, const std::string& other, clang::SourceRange at);
  void returned(const clang::ReturnStmt* stmt);
  void return_elements(const clang::Expr* returned);
  Event end_of(const clang::VarDecl* variable) const;
  void end_block(const clang::CompoundStmt* block);
  void end_of_owners(const clang::CompoundStmt* block);
  void end_of_threads(const clang::CompoundStmt* block);
  void end_of_containers(const clang::CompoundStmt* block);
  int enter(Region::Kind kind, clang::SourceRange head, clang::SourceRange whole, Guard guard);
  void leave() { region_ = function().regions[region_].parent; }

  // loops (walk_loops.cpp)
  struct LabelUse {
    size_t stands = SIZE_MAX, last_jump = 0;
    bool has_jump = false;
  };
  using LabelUses = std::unordered_map<const clang::LabelDecl*, LabelUse>;
  void loop(const clang::Stmt* stmt);
  void for_each_element(Event& event, const clang::CallExpr* call, bool alone);
  void own_iterator(const clang::CXXForRangeStmt* loop);
  void element_of(const clang::CXXForRangeStmt* loop);
  void call_of_view(const clang::Expr* view);
  std::vector<LoopAround> loops_around() const;
  void jump_back_to(const clang::LabelStmt* label, const clang::CompoundStmt* block);
  const LabelUses& label_uses(const clang::CompoundStmt* block);
  void leave_jumps(const clang::Stmt* child);

  // what a function's return values say (answers.cpp)
  void answer(const clang::Expr* returned);
  void no_answer();
  void answer_is(bool truth, const Guard& guard);

  // what conditions and results are computed from (computed_from.cpp)
  ComputedFrom computed_from(const clang::Expr* expr) const;

  // differences of clock readings (elapsed.cpp)
  void elapsed(const clang::Expr* difference, const clang::Expr* later, const clang::Expr* earlier);
  Value reading_of_clock(const clang::Expr* expr) const;
  bool is_reading(const Event& event) const;
  bool keeps_reading(const clang::ValueDecl* kept) const;
  Guard guard_of_region() const;

  // expressions (events.cpp)
  void expression(const clang::Expr* expr);
  void suspend(const clang::CoroutineSuspendExpr* expr);
  void children(const clang::Stmt* stmt);
  void launch(const clang::CUDAKernelCallExpr* call);
  void recovered(const clang::RecoveryExpr* expr);
  bool tensor_operation(const clang::RecoveryExpr* expr);
  void reference(const clang::DeclRefExpr* reference);  // api_references.cpp
  void construct(const clang::CXXConstructExpr* construct);
  // Records what the compiler-generated copy of an object that holds a thrust::device_vector costs.
  void copy_device_vector(const clang::Expr* copy, const clang::CXXMethodDecl* by, const clang::Expr* from);
  void assignment(const clang::Expr* left, const clang::Expr* right, const clang::Expr* whole);
  void flag_write(const clang::Expr* left, const clang::Expr* value);
  void initialise_fields(const clang::InitListExpr* list);
  void managed_touch(Event::Kind kind, const clang::DeclRefExpr* reference);
  void read_through(const clang::Expr* read);
  void host_read(const clang::Expr* base, const clang::Expr* whole);
  void host_write(const clang::Expr* target);
  void lambda(const clang::LambdaExpr* lambda);

  // calls (calls.cpp)
  struct Called;
  void call(const clang::CallExpr* call);
  Called called_by(const clang::CallExpr* call) const;
  void name_callee(Event& event, const clang::CallExpr* call, const Called& called);
  unsigned name_object(Event& event, const clang::CallExpr* call, const clang::FunctionDecl* callee);
  // Adds the object that a method or an operator of the project is called on, if a loop picks it.
  void add_picked_object(Event& event, const clang::Expr* object);
  void note_undefined(const clang::FunctionDecl* callee);
  void judge_foreign(Event& event, const clang::CallExpr* call, const Called& called);
  void use_api(Event& event, const clang::CallExpr* call, const ApiFact& api);
  bool start_thread_in(const std::string& container, const clang::CXXMemberCallExpr* call);
  void keep_callables_in(const std::string& container, const clang::Expr* kept, const std::string& key = {});
  void keep_callable(const clang::CXXMemberCallExpr* call, llvm::StringRef name);

  // construction and end of objects (made.cpp)
  int event_behind(const clang::Expr* expr) const;
  void name_result(const clang::Expr* made, const std::string& into, const clang::Expr* element = nullptr);
  void construct_in_library(const clang::CXXConstructorDecl* constructor, const clang::Expr* at);
  void delete_object(const clang::CXXDeleteExpr* deletion);
  bool has_own_allocator(const clang::CXXRecordDecl* container) const;
  void call_allocator(const clang::CXXMethodDecl* method, Event event);
  void make_elements(const clang::CXXConstructExpr* construct);
  void give_room(const clang::CallExpr* call);
  std::string container_method(const clang::CXXRecordDecl* container, const std::string& name) const;

  // recording (record.cpp)
  Event start_event(Event::Kind kind, const clang::Expr* expr);
  int push(Event event, const clang::Expr* expr);
  // One of the tensors in a braced list, or in a container made from one.
  Value any_listed(const clang::Expr* list) const;
  void add_argument(Event& event, const clang::Expr* arg, clang::QualType parameter);
  void add_no_argument(Event& event);
  void add_sums(Event& event, const clang::CallExpr* call) const;
  void name_stream(Event& event, const std::string& text, const std::string& node);
  bool splits_over_streams(const clang::CUDAKernelCallExpr* call) const;
  void add_loops(Event& event, const clang::Expr* arg);
  const std::vector<std::pair<int, std::set<const clang::Decl*>>>& picking_parameters();
  void add_updates(Event& event, const clang::CallExpr* call, const clang::FunctionDecl* kernel) const;
  void leave_out_recurrences(Event& event, const clang::CUDAKernelCallExpr* call, const clang::FunctionDecl* kernel);
  void add_carries(Event& event, const clang::Expr* target);
  void flow(const std::string& into, Value value, clang::SourceRange at);
  void flow(const std::string& into, Value value, const Place& place);
  void api_flows(const Event& event, const ApiFact& api);
  void mark_statement(Event& event, const clang::Expr* expr);
  Value bound_value(const clang::Expr* expr, clang::QualType target) const;
  std::string target_of(const clang::Expr* arg, clang::QualType parameter) const;

  Function& function() { return unit_.functions[function_]; }

  const clang::ASTContext& context_;
  const ApiTable& apis_;
  const ProjectFiles& project_;
  const Writes& writes_;
  Rarity rarity_;
  const TruthTensors truths_;
  PlainCode plain_;
  UnitFacts& unit_;
  std::vector<std::pair<const clang::FunctionDecl*, std::string>>& lambdas_;
  const int torch_version_;  // see library_version.h
  Values values_;
  const clang::FunctionDecl* decl_ = nullptr;
  int function_ = -1;
  int region_ = 0;
  struct OpenLoop {
    int region;
    const clang::Stmt* stmt;
    LoopScan scan;
  };
  std::vector<OpenLoop> loops_;
  std::set<const clang::VarDecl*>
      given_room_;  // containers on whose allocator of the project reserve() or so has called
  std::map<std::string, std::string> referred_;  // references to pointers: the variable's node -> the pointer's node
  struct Test {
    const clang::Expr* condition;  // null: that of a loop without one
    bool taken;
  };
  std::vector<Test> tests_;  // the conditions of the enclosing branches and loops
  struct Jump {
    int region;
    const clang::Stmt* last;
  };
  const clang::Expr* called_name_ = nullptr;  // of the call whose children are walked next: it is no value
  std::vector<Jump> jumps_;                   // open loops made by goto
  // For each label, as statement numbers in the block: its own, and that of the last statement that contains a jump to
  // it.
  std::unordered_map<const clang::CompoundStmt*, LabelUses> label_uses_;
  std::vector<std::pair<int, std::set<const clang::Decl*>>> picks_;  // picking_parameters()
  bool has_read_picks_ = false;
  bool answered_[2] = {false, false};  // the return values that a bool function has had so far: false, true
  std::set<std::string> host_reads_;
  const clang::CompoundStmt* block_ = nullptr;    // the block whose statements are being walked
  int runs_ = 0, run_ = 0, position_ = 0;         // of plain statements, see Event
  const clang::Stmt* plain_statement_ = nullptr;  // the one being walked
};

}  // namespace syncsniff::facts
