#include "grouser/mechanism/urdf_tree.h"

#include <array>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "grouser/base/text.h"

namespace grouser {
namespace {

// ---- Outline of the XML text --------------------------------------------------------------------

struct Element {
  std::string tag;
  std::map<std::string, std::string> attributes;
  int parent = -1;  ///< index of the enclosing element, -1 for the outermost
  Place place;

  std::string attribute(const std::string& key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? "" : found->second;
  }
};

/// Reads the elements of an XML text in the order of the text and refuses what does not nest.
class OutlineReader {
 public:
  OutlineReader(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  std::vector<Element> read() {
    while (advance_to(text_.find('<', at_))) {
      if (skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>") || skip("<!", ">"))
        continue;
      if (next_is("</"))
        close_element();
      else
        open_element();
    }
    if (!open_.empty()) {
      const Element& element = elements_[open_.back()];
      throw InputError(element.place, "malformed XML: <" + element.tag + "> is never closed");
    }
    if (elements_.empty())
      throw InputError(Place{path_}, "holds no XML element, <robot> is needed");
    return std::move(elements_);
  }

 private:
  static constexpr std::string_view kSpace = " \t\r\n";

  Place place() const { return {path_, line_, static_cast<int>(at_ - line_start_) + 1}; }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(place(), "malformed XML: " + what);
  }
  bool next_is(std::string_view start) const {
    return std::string_view(text_).substr(at_, start.size()) == start;
  }

  /// Moves to `position`, counting lines; false at the end of the text.
  bool advance_to(std::size_t position) {
    const bool found = position != std::string::npos;
    const std::size_t end = found ? position : text_.size();
    for (; at_ < end; ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
    return found;
  }

  /// Passes over `start` ... `end` if it comes next.
  bool skip(std::string_view start, std::string_view end) {
    if (!next_is(start)) return false;
    const std::size_t position = text_.find(end, at_ + start.size());
    if (position == std::string::npos) refuse(std::string(start) + " is never closed");
    return advance_to(position + end.size());
  }

  std::string take_until(std::string_view stops) {
    const std::size_t begin = at_;
    if (!advance_to(text_.find_first_of(stops, at_))) refuse("the text ends inside a tag");
    return text_.substr(begin, at_ - begin);
  }

  void skip_space() {
    if (!advance_to(text_.find_first_not_of(kSpace, at_))) refuse("the text ends inside a tag");
  }

  void close_element() {
    const Place here = place();
    advance_to(at_ + 2);
    const std::string tag = take_until(" \t\r\n>");
    take_until(">");
    if (open_.empty()) throw InputError(here, "malformed XML: </" + tag + "> closes nothing");
    const Element& element = elements_[open_.back()];
    if (element.tag != tag) {
      throw InputError(here, "malformed XML: </" + tag + "> cannot close <" + element.tag +
                                 "> of line " + std::to_string(element.place.line));
    }
    open_.pop_back();
  }

  void open_element() {
    Element element;
    element.place = place();
    element.parent = open_.empty() ? -1 : static_cast<int>(open_.back());
    advance_to(at_ + 1);
    element.tag = take_until(" \t\r\n/>");
    for (skip_space(); !next_is("/") && !next_is(">"); skip_space()) read_attribute(element);
    const bool empty = next_is("/");
    if (empty) advance_to(at_ + 1);
    if (!next_is(">")) refuse("'/' inside <" + element.tag + ">");
    if (!empty) open_.push_back(elements_.size());
    elements_.push_back(std::move(element));
  }

  void read_attribute(Element& element) {
    const std::string key = take_until(" \t\r\n=/>");
    skip_space();
    if (!next_is("=")) refuse("attribute '" + key + "' of <" + element.tag + "> has no value");
    advance_to(at_ + 1);
    skip_space();
    if (!next_is("\"") && !next_is("'")) refuse("attribute '" + key + "' wants a quoted value");
    const char quote = text_[at_];
    advance_to(at_ + 1);
    element.attributes[key] = decoded(take_until({&quote, 1}));
    advance_to(at_ + 1);
  }

  static std::string decoded(std::string value) {
    constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};
    for (std::size_t at = value.find('&'); at != std::string::npos; at = value.find('&', at + 1)) {
      for (const auto& [name, character] : kEntities) {
        if (value.compare(at, name.size(), name) != 0) continue;
        value.replace(at, name.size(), 1, character);
        break;
      }
    }
    return value;
  }

  const std::string& text_;
  const std::string& path_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
  std::vector<Element> elements_;
  std::vector<std::size_t> open_;
};

// ---- UrdfTree of links and joints
// -------------------------------------------------------------------

/// The children of <robot> that are links and joints, with unique names.
UrdfTree collect_names(const std::vector<Element>& elements) {
  const Element& robot = elements.front();
  if (robot.tag != "robot")
    throw InputError(robot.place, "the outermost element must be <robot>, is <" + robot.tag + ">");

  UrdfTree tree;
  std::map<std::pair<std::string, std::string>, int> lines;
  std::map<int, std::size_t> joint_of_element;
  for (int i = 1; i < static_cast<int>(elements.size()); ++i) {
    const Element& element = elements[i];
    if (element.tag.starts_with("xacro:")) {
      throw InputError(element.place, "<" + element.tag +
                                          "> is a xacro macro: expand the file first, with "
                                          "'xacro in.xacro > out.urdf'");
    }
    if (const auto owner = joint_of_element.find(element.parent); owner != joint_of_element.end()) {
      TreeJoint& joint = tree.joints[owner->second];
      joint.parts.emplace(element.tag, element.place);
      if (element.tag == "parent") joint.parent = element.attribute("link");
      if (element.tag == "child") joint.child = element.attribute("link");
    }
    if (element.parent != 0 || (element.tag != "link" && element.tag != "joint")) continue;

    const std::string name = element.attribute("name");
    if (name.empty()) throw InputError(element.place, "a " + element.tag + " needs a name");
    const auto [first, is_new] = lines.emplace(std::pair(element.tag, name), element.place.line);
    if (!is_new) {
      throw InputError(element.place, element.tag + " " + quoted_name(name) +
                                          " is defined twice, first in line " +
                                          std::to_string(first->second));
    }
    if (element.tag == "link") {
      tree.links.push_back(name);
      tree.link_places[name] = element.place;
    } else {
      joint_of_element[i] = tree.joints.size();
      tree.joints.push_back({name, "", "", element.place, {}});
    }
  }
  if (tree.links.empty()) throw InputError(robot.place, "the robot has no links");
  return tree;
}

/// Hangs the links on their joints; every joint must find its links, every link has one parent.
void connect(UrdfTree& tree) {
  for (const TreeJoint& joint : tree.joints) {
    const std::array<std::pair<std::string, std::string>, 2> ends = {
        {{"parent", joint.parent}, {"child", joint.child}}};
    for (const auto& [role, link] : ends) {
      const std::string who = "joint " + quoted_name(joint.name);
      if (link.empty())
        throw InputError(joint.place_of(role), who + " needs <" + role + " link=\"...\"/>");
      if (!tree.link_places.contains(link)) {
        throw InputError(joint.place_of(role), who + ": no " + role + " link is called " +
                                                   quoted_name(link) +
                                                   suggestion(link, tree.links));
      }
    }
    const auto [other, is_new] = tree.above.emplace(joint.child, &joint);
    if (!is_new) {
      throw InputError(joint.place_of("child"),
                       "link " + quoted_name(joint.child) + " hangs on two joints, " +
                           quoted_name(other->second->name) + " and " + quoted_name(joint.name) +
                           ": URDF describes trees, close loops in the scene");
    }
    tree.children[joint.parent].push_back(&joint);
  }
}

/// Finds the one root and refuses links that cannot be reached from it.
void find_root(UrdfTree& tree) {
  for (const std::string& link : tree.links) {
    if (tree.above.contains(link)) continue;
    if (!tree.root.empty()) {
      throw InputError(tree.link_places[link], "two root links, " + quoted_name(tree.root) +
                                                   " and " + quoted_name(link) +
                                                   ": all links but one hang on a joint");
    }
    tree.root = link;
  }
  const std::string loop = "the joints form a loop through link ";
  if (tree.root.empty()) {
    const std::string& link = tree.links.front();
    throw InputError(tree.link_places[link],
                     loop + quoted_name(link) + ", so there is no root link");
  }

  std::set<std::string> reached = {tree.root};
  std::vector<std::string> waiting = {tree.root};
  while (!waiting.empty()) {
    const std::string link = std::move(waiting.back());
    waiting.pop_back();
    for (const TreeJoint* joint : tree.children[link]) {
      reached.insert(joint->child);
      waiting.push_back(joint->child);
    }
  }
  for (const std::string& link : tree.links) {
    if (reached.contains(link)) continue;
    throw InputError(
        tree.link_places[link],
        loop + quoted_name(link) + ", apart from the root link " + quoted_name(tree.root));
  }
}

}  // namespace

UrdfTree read_tree(const std::string& urdf_text, const std::string& path) {
  UrdfTree tree = collect_names(OutlineReader(urdf_text, path).read());
  connect(tree);
  find_root(tree);
  return tree;
}

}  // namespace grouser
