#pragma once

class Pace {
 public:
  explicit Pace(int every) : every_(every) {}
  bool due();
  bool always() const;
  void renew() { fresh_ = true; }
  void use();

 private:
  int every_, count_ = 0;
  bool fresh_ = true, quiet_ = true;
};
double seconds_since_start();
