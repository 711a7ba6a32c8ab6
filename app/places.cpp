// SPDX-License-Identifier: Apache-2.0
#include "app/mainwindow.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr int mostOfAKind = 40;
constexpr quint32 mostLookedAt = 100'000; ///< a key must not wait for a million paths

struct PlaceWords
{
    Q_DECLARE_TR_FUNCTIONS(instar::CommandPalette)
};

/// Gathers what has the words.
class PlaceFinder
{
public:
    PlaceFinder(MainWindow &window, const QStringList &words) : m_window(window), m_words(words) { }

    QList<CommandPalette::Place> all()
    {
        addResources();
        addOperations();
        addStates();
        addRules();
        addPages();
        return std::move(m_found);
    }

private:
    const Controller &controller() const { return m_window.controller(); }
    const Pack &pack() const { return controller().rules().pack(); }
    bool fits(const QString &text) const
    {
        return std::ranges::all_of(
            m_words, [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
    }
    void begin() { m_left = mostOfAKind; }
    void add(const QString &text, const std::function<void()> &go)
    {
        if (m_left > 0 && fits(text)) {
            --m_left;
            m_found += { text, go };
        }
    }
    void addResources();
    void addOperations();
    void addStates();
    void addRules();
    void addPages();

    MainWindow &m_window;
    QStringList m_words;
    QList<CommandPalette::Place> m_found;
    int m_left = 0; ///< of a kind
};

void PlaceFinder::addResources()
{
    begin();
    const Tree &tree = controller().world().tree;
    quint32 looked = 0;
    for (const quint32 branch : tree.branches()) {
        for (quint32 position = 0; position < tree.branchSize(branch); ++position) {
            if (++looked > mostLookedAt || m_left == 0)
                return;
            const QString path = tree.path(tree.at(branch, position));
            add(PlaceWords::tr("Go to %1").arg(path),
                [window = &m_window, path] { window->select(path); });
        }
    }
}

void PlaceFinder::addOperations()
{
    begin();
    const PersistentList<Operation> &operations = controller().operations().all();
    for (qsizetype i = operations.size() - 1; i >= 0 && m_left > 0; --i) {
        const Operation &one = operations[i];
        //: an operation: its id, what was asked for, how it stands
        add(PlaceWords::tr("Operation %1: %2 %3, %4")
                .arg(one.id, one.op, one.path, statusName(one.status)),
            [window = &m_window, serial = one.serial] { window->showOperation(serial); });
    }
}

void PlaceFinder::addStates()
{
    begin();
    for (int machine = 0; machine < int(pack().machines.size()); ++machine) {
        const Machine &row = pack().machines[machine];
        for (const State &state : row.states)
            add(PlaceWords::tr("State %1 of %2")
                    .arg(state.id, row.title.isEmpty() ? row.id : row.title),
                [window = &m_window, machine, id = state.id] { window->showState(machine, id); });
    }
}

void PlaceFinder::addRules()
{
    begin();
    for (const Source &source : pack().sourceList)
        add(PlaceWords::tr("Rule %1: %2").arg(source.id, source.about),
            [window = &m_window, id = source.id] { window->showRule(id); });
}

void PlaceFinder::addPages()
{
    begin();
    for (const LessonInfo &lesson : builtInLessons()) {
        if (lesson.pack == pack().id)
            add(PlaceWords::tr("Lesson: %1").arg(lesson.title),
                [window = &m_window, file = lesson.file] { window->openBeside(file); });
    }
}

} // namespace

QList<CommandPalette::Place> placesIn(MainWindow &window, const QStringList &words)
{
    return PlaceFinder(window, words).all();
}

} // namespace instar
