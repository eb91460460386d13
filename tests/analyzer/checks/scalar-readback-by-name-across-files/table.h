// No unit names what another unit keeps in the table.
#pragma once

#include <map>
#include <string>

using Operation = float (*)(float*, int);

class Table {
 public:
  static Table& instance() {
    static Table table;
    return table;
  }
  bool add(const std::string& name, Operation operation) {
    operations_[name] = operation;
    return true;
  }
  Operation get(const std::string& name) const { return operations_.at(name); }

 private:
  std::map<std::string, Operation> operations_;
};
