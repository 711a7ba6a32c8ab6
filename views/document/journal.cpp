// SPDX-License-Identifier: Apache-2.0
#include "views/document/journal.h"

#include "model/json/library.h"
#include "model/json/packfile.h"
#include "model/pack/identity.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QUuid>

namespace instar {

namespace {

// A write waits for DelayFactor times the duration of the last one, at most for MostMs.
constexpr int MostMs = 200, DelayFactor = 10;
constexpr int RetryMs = 5000; // delay after a failed write, because all steps are written again
constexpr qint64 LargestJournal = 1024 * 1024 * 1024;

QString recoveryFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/recovery"_s;
}

QString base64(const QByteArray &bytes)
{
    return QString::fromLatin1(bytes.toBase64());
}

QByteArray fromBase64(const QJsonValue &value)
{
    return QByteArray::fromBase64(value.toString().toLatin1());
}

QString hashOf(const QByteArray &text)
{
    return QString::fromLatin1(
        QCryptographicHash::hash(text, QCryptographicHash::Md5).toHex().first(8));
}

/// Difference of two texts as JSON: the range to cut, its replacement, and the new text's hash.
QJsonObject changeOf(const QByteArray &before, const QByteArray &after)
{
    const auto splice = Document::Splice::between(before, after);
    return { { u"from"_s, splice.at }, { u"cut"_s, splice.out.size() },
        { u"put"_s, base64(splice.in) }, { u"hash"_s, hashOf(after) } };
}

/// Applies a change that changeOf() made; absent if the result does not have the change's hash.
std::optional<QByteArray> changed(QByteArray text, const QJsonValue &change)
{
    text.replace(
        change[u"from"].toInteger(), change[u"cut"].toInteger(), fromBase64(change[u"put"]));
    if (hashOf(text) != change[u"hash"].toString())
        return {};
    return text;
}

std::optional<Pack> packFrom(const Journal::Texts &texts)
{
    const Result<JsonText> document = JsonText::parse(texts.pack, u"journal"_s);
    Result<Pack> pack = document ? readPack(*document) : Result<Pack>(Error { document.error() });
    if (!pack)
        return {};
    const auto numbers = mapped<QList<quint32>>(texts.numbers.trimmed().split(' '),
        [](const QByteArray &number) { return number.toUInt(); });
    setIdentities(&*pack, numbers);
    return *std::move(pack);
}

/// Reader of a recovery file: replays its lines up to the first invalid one.
class JournalReader
{
public:
    explicit JournalReader(LostDocument *lost) : m_lost(*lost) { }

    void read(const QByteArray &bytes)
    {
        for (const QByteArray &line : bytes.split('\n')) {
            if (line.isEmpty())
                continue;
            const QJsonDocument document = QJsonDocument::fromJson(line);
            if (!document.isObject() || !apply(document.object())) {
                m_lost.problem = u"%1: line %2 cannot be read"_s.arg(
                    m_lost.journal, QString::number(m_line + 1));
                break;
            }
            ++m_line;
        }
        Document::Snapshot &snapshot = m_lost.snapshot;
        snapshot.now = std::clamp<qsizetype>(snapshot.now, 0, snapshot.steps.size());
        if (snapshot.saved > snapshot.steps.size())
            snapshot.saved = -1;
        m_lost.isReadable = m_line > 0;
    }

private:
    bool apply(const QJsonObject &line)
    {
        Document::Snapshot &snapshot = m_lost.snapshot;
        if (m_line == 0)
            return begin(line);
        if (line.contains(u"file"_s)) {
            snapshot.file = line[u"file"].toString();
            snapshot.text = fromBase64(line[u"text"]);
        }
        if (line.contains(u"keep"_s)) {
            const qsizetype keep = line[u"keep"].toInteger(-1);
            if (keep < 0 || keep > snapshot.steps.size())
                return false;
            snapshot.steps.resize(keep);
            m_texts.resize(keep + 1);
        }
        if (line.contains(u"did"_s) && !addStep(line))
            return false;
        snapshot.now = line[u"now"].toInteger(snapshot.now);
        snapshot.saved = line[u"saved"].toInteger(snapshot.saved);
        return true;
    }
    bool begin(const QJsonObject &line)
    {
        const Journal::Texts texts { fromBase64(line[u"first"]),
            line[u"numbers"].toString().toLatin1() };
        const std::optional<Pack> pack = packFrom(texts);
        if (line[u"journal"].toInt() != 1 || !pack)
            return false;
        Document::Snapshot &snapshot = m_lost.snapshot;
        snapshot.first = *pack;
        snapshot.firstText = fromBase64(line[u"firstText"]);
        snapshot.written = Document::Written { snapshot.firstText, *pack };
        if (line.contains(u"written"_s)) {
            const QByteArray text = fromBase64(line[u"written"]);
            snapshot.written = { text, packFrom({ text, {} }).value_or(Pack()) };
        }
        snapshot.file = line[u"file"].toString();
        snapshot.text = fromBase64(line[u"text"]);
        snapshot.saved = line[u"saved"].toInteger(-1);
        m_texts = { texts };
        return true;
    }
    bool addStep(const QJsonObject &line)
    {
        const auto text = changed(m_texts.last().pack, line[u"pack"]);
        const auto numbers = changed(m_texts.last().numbers, line[u"rows"]);
        if (!text || !numbers)
            return false;
        const Journal::Texts texts { *text, *numbers };
        const std::optional<Pack> pack = packFrom(texts);
        if (!pack)
            return false;
        Document::Step step { line[u"did"].toString(), *pack };
        if (line[u"moved"].toBool())
            step.positions = Positions::Chosen;
        if (const QJsonValue typed = line[u"typed"]; typed.isObject())
            step.typed = { typed[u"at"].toInteger(), fromBase64(typed[u"out"]),
                fromBase64(typed[u"in"]) };
        m_lost.snapshot.steps += step;
        m_texts += texts;
        return true;
    }

    LostDocument &m_lost;
    QList<Journal::Texts> m_texts; ///< the first pack, then the pack after each step
    int m_line = 0;
};

QByteArray lineOf(const QJsonObject &line)
{
    return QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
}

} // namespace

Journal::Journal(Document &document, QObject *parent) : QObject(parent), m_document(document)
{
    m_writeDelay.setSingleShot(true);
    connect(&m_writeDelay, &QTimer::timeout, this, &Journal::write);
    const auto scheduleWrite = [this] {
        if (!m_writeDelay.isActive())
            m_writeDelay.start(m_problem.isEmpty()
                    ? int(std::min<qint64>(DelayFactor * m_writeMs, MostMs))
                    : RetryMs);
    };
    connect(&document, &Document::changed, this, scheduleWrite);
    connect(&document, &Document::fileChanged, this, scheduleWrite);
    connect(&document, &Document::modifiedChanged, this, scheduleWrite);
    connect(&document.history(), &QUndoStack::indexChanged, this, scheduleWrite);
    if (document.history().count() > 0)
        scheduleWrite();
}

Journal::~Journal()
{
    if (!m_name.isEmpty())
        QFile::remove(m_name);
}

Journal::Texts Journal::textsOf(const Pack &pack)
{
    Texts texts { writePack(pack), {} };
    for (const quint32 number : identities(pack))
        texts.numbers += QByteArray::number(number) + ' ';
    return texts;
}

QString Journal::claimFile()
{
    if (m_lock)
        return {};
    const QDir folder(recoveryFolder());
    if (!folder.mkpath(u"."_s))
        return tr("the folder %1 cannot be created").arg(folder.path());
    const QString name =
        folder.filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) + u".journal"_s);
    auto lock = std::make_unique<QLockFile>(name + u".lock"_s);
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0))
        return tr("the folder %1 is not writable").arg(folder.path());
    m_lock = std::move(lock);
    m_name = name;
    return {};
}

QByteArray Journal::firstLine(const Document::Snapshot &snapshot) const
{
    QJsonObject line { { u"journal"_s, 1 }, { u"first"_s, base64(m_texts.pack) },
        { u"numbers"_s, QString::fromLatin1(m_texts.numbers) },
        { u"firstText"_s, base64(snapshot.firstText) }, { u"file"_s, snapshot.file },
        { u"text"_s, base64(snapshot.text) }, { u"saved"_s, snapshot.saved } };
    if (snapshot.written && snapshot.written->text != snapshot.firstText)
        line[u"written"_s] = base64(snapshot.written->text);
    return lineOf(line);
}

QByteArray Journal::stepLine(const Document::Step &step, qsizetype now)
{
    const Texts texts = textsOf(step.pack);
    QJsonObject line { { u"did"_s, step.text }, { u"now"_s, now },
        { u"pack"_s, changeOf(m_texts.pack, texts.pack) },
        { u"rows"_s, changeOf(m_texts.numbers, texts.numbers) } };
    if (step.positions == Positions::Chosen)
        line[u"moved"_s] = true;
    if (const auto &typed = step.typed)
        line[u"typed"_s] = QJsonObject { { u"at"_s, typed->at }, { u"out"_s, base64(typed->out) },
            { u"in"_s, base64(typed->in) } };
    m_texts = texts;
    return lineOf(line);
}

QString Journal::writeLines()
{
    if (const QString problem = claimFile(); !problem.isEmpty())
        return problem;
    const Document::Snapshot snapshot = m_document.snapshot(),
                             before = std::exchange(m_snapshot, snapshot);
    // Begins a new file after a failed write, and if the first text changed.
    const bool isNew = !m_file.isOpen() || snapshot.firstText != before.firstText;
    const auto differ = std::ranges::mismatch(snapshot.steps, before.steps);
    const qsizetype from = isNew ? 0 : differ.in1 - snapshot.steps.begin();
    QByteArray lines;
    if (isNew || from < before.steps.size())
        m_texts = textsOf(from > 0 ? snapshot.steps[from - 1].pack : snapshot.first);
    if (isNew)
        lines = firstLine(snapshot);
    else if (from < before.steps.size())
        lines = lineOf({ { u"keep"_s, from } });
    for (qsizetype i = from; i < snapshot.steps.size(); ++i)
        lines += stepLine(snapshot.steps[i], i + 1);
    if (!isNew && (snapshot.file != before.file || snapshot.text != before.text))
        lines += lineOf({ { u"file"_s, snapshot.file }, { u"text"_s, base64(snapshot.text) } });
    lines += lineOf({ { u"now"_s, snapshot.now }, { u"saved"_s, snapshot.saved } });
    const Result<bool> isWritten = isNew ? m_file.begin(m_name, lines) : m_file.append(lines);
    return isWritten ? QString() : isWritten.error();
}

void Journal::write()
{
    m_writeDelay.stop();
    if (!m_lock && m_document.history().count() == 0)
        return;
    QElapsedTimer clock;
    clock.start();
    const QString before = std::exchange(m_problem, writeLines());
    m_writeMs = clock.elapsed();
    if (before.isEmpty() != m_problem.isEmpty())
        emit problemChanged(m_problem);
}

QList<LostDocument> lostDocuments()
{
    QList<LostDocument> all;
    const QDir folder(recoveryFolder());
    for (const QFileInfo &file :
        folder.entryInfoList({ u"*.journal"_s }, QDir::Files, QDir::Time)) {
        LostDocument lost { .journal = file.filePath(), .time = file.lastModified() };
        lost.lock = std::make_shared<QLockFile>(lost.journal + u".lock"_s);
        lost.lock->setStaleLockTime(0);
        if (!lost.lock->tryLock(0))
            continue; // the journal's program is still running
        if (const Result<QByteArray> bytes = fileBytes(lost.journal, LargestJournal))
            JournalReader(&lost).read(*bytes);
        else
            lost.problem = bytes.error();
        const Document::Snapshot &snapshot = lost.snapshot;
        const bool isSaved =
            snapshot.now == snapshot.saved && snapshot.now == snapshot.steps.size();
        if (!lost.problem.isEmpty() || (lost.isReadable && !isSaved))
            all += lost;
        else
            forget(lost);
    }
    return all;
}

void forget(const LostDocument &lost)
{
    QFile::remove(lost.journal);
    lost.lock->unlock();
}

} // namespace instar
