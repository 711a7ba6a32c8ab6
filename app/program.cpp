// SPDX-License-Identifier: Apache-2.0
#include "app/program.h"

#include "app/editing.h"
#include "app/filedialogs.h"
#include "app/judging.h"
#include "app/mainwindow.h"
#include "app/network.h"
#include "app/presenting.h"
#include "model/json/library.h"
#include "model/task.h"
#include "views/drawing/text.h"
#include "views/fieldstyle.h"
#include "views/look.h"
#include "views/panels/notice.h"
#include "views/tips.h"

#include <QApplication>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>

#include <algorithm>
#include <utility>

namespace instar {

Program::Program(QObject *parent) : QObject(parent)
{
    const QString translations = u":/instar/translations"_s;
    if (!m_language.load(QLocale(), u"instar"_s, u"_"_s, translations))
        std::ignore = m_language.load(u"instar_en"_s, translations); // plural forms of English
    QCoreApplication::installTranslator(&m_language);
    QApplication::setStyle(new FieldStyle);
    qApp->installEventFilter(new PlainTips(this));
    QApplication::setFont(typeface(QApplication::font()));
    m_sessionTimer.setSingleShot(true);
    m_sessionTimer.setInterval(1000);
    connect(&m_sessionTimer, &QTimer::timeout, this, [this] { keepSession(); });
    m_settings.reportProblems([this](const QString &problem) {
        for (const QPointer<MainWindow> &window : std::as_const(m_windows)) {
            if (window)
                window->say(tr("The settings cannot be saved: %1").arg(problem));
        }
    });
    m_still = m_settings.isStill();
    setTheme(m_settings.theme());
    for (const QString &id : builtInPacks()) {
        const Result<Pack> pack = loadPack(id);
        m_systems += { id, pack ? shownTitle(*pack) : id };
    }
    connect(&m_system, &SystemTheme::changed, this, [this] {
        if (m_theme == u"system")
            setTheme(m_theme);
        emit motionChanged();
    });
}

void Program::setTheme(const QString &name)
{
    m_theme = name;
    const Theme ofDesktop = m_system.isContrast() ? Theme::highContrast()
        : m_system.isDark()                       ? Theme::dark()
                                                  : Theme::light();
    applyTheme(Theme::named(name).value_or(ofDesktop));
    emit themeChanged();
}

bool Program::openFirst(const QStringList &sources)
{
    if (sources.isEmpty())
        restoreSession();
    QStringList recordings;
    for (const QString &source : sources) {
        if (isRecording(source))
            recordings += source;
        else
            open(source);
    }
    if (m_windows.isEmpty() && !open(builtInPacks().first()))
        return false;
    for (const QString &recording : std::as_const(recordings))
        judgeFile(*m_windows.last(), recording);
    return true;
}

bool Program::restoreSession()
{
    for (const Settings::Open &open : m_settings.session()) {
        Result<Opened> run = open.branches.isEmpty() ? Result<Opened>(Error {}) : loadRun(open);
        const QString problem = run ? QString() : run.error();
        MainWindow *window = run ? showOpened(std::move(run), nullptr) : this->open(open.source);
        if (!window)
            continue;
        if (!problem.isEmpty()) // the pack was edited meanwhile
            window->say(tr("The last run cannot be restored: %1").arg(problem));
        window->selectKnown(open.path);
        if (!open.burst.isEmpty())
            window->addToBurst(open.burst);
    }
    keepSession(); // in case of a crash
    return !m_windows.isEmpty();
}

void Program::keepSession(const MainWindow *closing)
{
    if (m_isQuitting)
        return;
    QList<Settings::Open> open;
    for (const QPointer<MainWindow> &window : std::as_const(m_windows)) {
        if (window && window != closing && window->isVisible() && window->isLocal())
            open += window->opened();
    }
    if (open.isEmpty() && closing && closing->isLocal())
        open += closing->opened();
    m_settings.setSession(open);
}

void Program::keepSessionSoon()
{
    if (!m_sessionTimer.isActive()) // during a run, restarts would delay the timer again and again
        m_sessionTimer.start();
}

void Program::quit()
{
    keepSession();
    m_isQuitting = true;
    QApplication::closeAllWindows();
    m_isQuitting = std::ranges::none_of(m_windows,
        [](const QPointer<MainWindow> &window) { return window && window->isVisible(); });
}

bool Program::isStill() const
{
    return m_still.value_or(m_system.isStill());
}

void Program::setStill(bool still)
{
    m_still = still;
    emit motionChanged();
}

MainWindow *Program::open(const QString &source, MainWindow *asker)
{
    Progress progress;
    return showOpened(loadAndPlay(source, progress, thread()), asker);
}

void Program::openBeside(const QString &wanted, MainWindow *asker)
{
    const QString source = absoluteSource(wanted), name = source.section(u'/', -1);
    // The program gets the result: a file opened before may have replaced the asking window.
    const auto show = [this, asker = QPointer(asker)](
                          Result<Opened> content) { showOpened(std::move(content), asker); };
    Task *task = Task::start(
        this, tr("Opening %1").arg(name),
        [source, home = thread()](
            Progress &progress) { return loadAndPlay(source, progress, home); },
        show);
    m_openings.removeIf([](const QPointer<Task> &known) { return known.isNull(); });
    m_openings += task;
    asker->follow(task);
}

MainWindow *Program::showOpened(Result<Opened> content, MainWindow *asker)
{
    if (!content) {
        printToStderr(u"instar: "_s + content.error());
        // On the heap: the asker, its parent, may be closed meanwhile.
        const QPointer<QMessageBox> box = new QMessageBox(
            QMessageBox::Warning, tr("Cannot open"), content.error(), QMessageBox::Ok, asker);
        box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        box->exec();
        delete box;
        return nullptr;
    }
    const QString source = content->source;
    if (!source.startsWith(u':') && QFileInfo(source).isFile())
        m_settings.addRecentFile(source);

    const QStringList diagnostics = content->diagnostics;
    MainWindow *window = show(*std::move(content), asker);
    showDiagnostics(window, source, diagnostics);
    return window;
}

void Program::showStart(MainWindow *asker)
{
    auto *page = new StartPage(m_systems, newPacks(), m_settings.recentFiles(), asker);
    connect(page, &StartPage::sourceAsked, asker,
        [this, asker](const QString &source) { openBeside(source, asker); });
    connect(page, &StartPage::fileAsked, asker, &MainWindow::askForFile);
    connect(page, &StartPage::serverAsked, asker, [this, asker] { connectToServer(asker); });
    page->show();
}

void Program::openTrace(
    const Pack &pack, const QString &name, const Scenario &trace, MainWindow *asker)
{
    // Drops expectations: they may state what another pack or a server did.
    Scenario shown = trace;
    shown.steps.removeIf(
        [](const ScenarioStep &step) { return step.kind == ScenarioStep::Kind::Expect; });
    Result<Opened> content = loadTrace(pack, name, shown, thread());
    if (!content)
        QMessageBox::warning(asker, tr("Cannot run"), content.error());
    else
        show(*std::move(content), nullptr)
            ->say(tr("This run follows the rules. It does not show what a server did."));
}

void Program::openPlayed(const Stage &stage, const Rehearsal::Trace &trace)
{
    MainWindow *window = show(loadRehearsal(stage, trace), nullptr);
    if (!trace.events.isEmpty() && trace.events.first().request)
        window->select(trace.events.first().request->path);
}

void Program::connectToServer(MainWindow *asker)
{
    ConnectDialog::Options options;
    for (const QString &id : builtInPacks()) {
        const Result<Pack> pack = loadPack(id);
        if (pack && !pack->wire.isEmpty())
            options.systems.append({ id, pack->title });
    }
    options.recent = m_settings.connections();
    ConnectDialog dialog(options, asker);
    if (dialog.exec() != QDialog::Accepted)
        return;
    m_settings.setConnections(dialog.recent());
    const Result<MainWindow *> window = connectTo(dialog.choice(), asker);
    if (!window)
        QMessageBox::warning(asker, tr("Cannot connect"), window.error());
}

Result<MainWindow *> Program::connectTo(const ConnectChoice &asked, MainWindow *asker)
{
    ConnectChoice choice = asked;
    choice.url = completedUrl(asked.url);
    choice.pack = absoluteSource(asked.pack);
    if (const QString problem = serverUrlProblem(choice.url); !problem.isEmpty())
        return Error { problem };
    const Result<Pack> pack = loadPack(choice.pack);
    if (!pack)
        return Error { pack.error() };
    if (pack->wire.isEmpty())
        return Error { tr(
            "the pack %1 does not define HTTP requests; add the section \"wire\" to it")
                           .arg(pack->id) };
    Result<Rules> rules = Rules::make(*pack);
    if (!rules)
        return Error { rules.error() };
    const QString title = tr("%1 — %2").arg(QUrl(choice.url).authority(), pack->title);
    World world = makeWorld(*rules, {}).world;
    return show(Opened { .source = choice.pack,
                    .pack = choice.pack,
                    .title = title,
                    .rules = *std::move(rules),
                    .world = std::move(world),
                    .server = optionsOf(choice) },
        asker);
}

void Program::offerLost()
{
    m_lost = lostDocuments();
    askForLost();
}

void Program::askForLost()
{
    MainWindow *newest = nullptr;
    for (const QPointer<MainWindow> &window : std::as_const(m_windows)) {
        if (!window)
            continue;
        window->lost().settle();
        newest = window;
    }
    if (!newest || m_lost.isEmpty())
        return;
    const LostDocument lost = m_lost.first();
    const QString name = shownTitle(lost.snapshot.first);
    const QString file = QFileInfo(lost.snapshot.file).fileName();
    QString sentence = !lost.isReadable
        ? tr("The program ended before some changes were saved, and "
             "they cannot be recovered.")
        : file.isEmpty()
        ? tr("The program ended before “%1” was saved.").arg(name)
        : tr("The program ended before the changes to “%1” were saved in %2.").arg(name, file);
    if (lost.isReadable)
        sentence += u' '
            + tr("The last change was on %1.")
                  .arg(QLocale().toString(lost.time, QLocale::ShortFormat));
    if (!lost.problem.isEmpty())
        sentence += u' ' + tr("Part of the recovery file cannot be read: %1.").arg(lost.problem);
    QList<NoticeBar::Answer> answers;
    if (lost.isReadable)
        answers += { tr("Recover"), tr("Open the unsaved version with its undo history"),
            [this, lost] { recover(lost); } };
    answers +=
        { tr("Discard"), tr("Discard the unsaved changes; the file stays unchanged"), [this, lost] {
             m_lost.removeFirst();
             forget(lost);
             askForLost();
         } };
    answers += { tr("Later"), tr("Ask again at the next start"), [this] { m_lost.clear(); } };
    newest->lost().ask(Notice::Tone::Hint, sentence, answers);
}

void Program::recover(const LostDocument &lost)
{
    m_lost.removeFirst();
    if (MainWindow *window = showOpened(loadRecovered(lost.snapshot), nullptr)) {
        window->editing()->journal().write();
        forget(lost);
    }
}

MainWindow *Program::show(Opened content, MainWindow *asker)
{
    auto *window = new MainWindow(*this, std::move(content));
    window->setAttribute(Qt::WA_DeleteOnClose);
    const bool isPresented = asker && asker->presenting().isOn();
    if (isPresented)
        asker->presenting().setOn(false); // the new window copies the normal layout
    if (asker && asker->isUntouched()) {
        window->resize(asker->size());
        window->move(asker->pos());
        window->docks().restore(asker->docks().saved());
        window->show();
        for (const QPointer<Task> &opening : std::as_const(m_openings)) {
            if (opening && opening->isGoingOn())
                window->follow(opening); // the asker's display of progress is deleted
        }
        asker->close();
    } else {
        window->show();
    }
    window->presenting().setOn(isPresented);
    m_windows.removeIf([](const QPointer<MainWindow> &known) { return known.isNull(); });
    m_windows += window;
    keepSession();
    askForLost();
    return window;
}

} // namespace instar
