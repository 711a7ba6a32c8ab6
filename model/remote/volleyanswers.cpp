// SPDX-License-Identifier: Apache-2.0
#include "model/remote/volleyparts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

double ms(qint64 ns)
{
    return double(ns) / 1e6;
}

} // namespace

/// False: the line's request has come to its end with it.
bool Volley::read(Line *line)
{
    const qint64 time = now();
    const QByteArray bytes = line->socket->readAll();
    const bool isAsked = line->state == Line::State::Sending || line->state == Line::State::Waiting;
    if (!isAsked || bytes.isEmpty()) {
        if (!bytes.isEmpty() && line->state == Line::State::Warm)
            drop(line); // nobody has asked for it
        return true;
    }
    if (line->firstByte < 0)
        line->firstByte = time;
    line->parser.feed(bytes);
    while (auto response = line->parser.takeResponse()) {
        if (response->status < 200)
            continue;
        finish(line, std::move(response), {});
        return false;
    }
    if (const auto problem = line->parser.problem()) {
        finish(line, {}, tr("The answer is not HTTP: %1").arg(QString::fromUtf8(problem->text)));
        return false;
    }
    return true;
}

void Volley::closed(Line *line)
{
    if (line->state == Line::State::Sending || line->state == Line::State::Waiting) {
        if (line->socket->bytesAvailable() > 0 && !read(line))
            return;
        line->parser.end();
        auto response = line->parser.takeResponse();
        while (response && response->status < 200)
            response = line->parser.takeResponse();
        const QString problem = line->firstByte < 0
            ? tr("The connection was closed without an answer; whether the request took effect is "
                 "not known.")
            : tr("The connection was closed in the middle of the answer; whether the request took "
                 "effect is not known.");
        finish(line, response, response ? QString() : problem);
        return;
    }
    if (line->state == Line::State::Loaded && replace(line))
        return;
    const QString problem =
        line->tlsProblems.isEmpty() ? line->socket->errorString() : line->tlsProblems.join(u"; "_s);
    unable(line, tr("No connection to %1: %2.").arg(m_origin.authority(), problem));
}

/// A connection that cannot serve: its request, if it has one, ends with the problem.
void Volley::unable(Line *line, const QString &problem)
{
    if (line->state == Line::State::Sending || line->state == Line::State::Waiting) {
        finish(line, {}, problem);
        return;
    }
    Salvo *own = salvo(line->salvo);
    const int index = line->index;
    if (own) {
        own->opening -= line->state == Line::State::Opening ? 1 : 0;
        own->lines[size_t(index)] = nullptr;
    }
    drop(line);
    if (!own)
        return;
    VolleyShot shot = own->report.shots[index];
    shot.problem = problem;
    const quint64 id = own->id;
    conclude(id, index, shot);
    if (Salvo *still = salvo(id))
        releaseWhenReady(*still);
}

void Volley::finish(Line *line, std::optional<HttpResponse> response, const QString &problem)
{
    Salvo *own = salvo(line->salvo);
    const int index = line->index;
    VolleyShot shot = own->report.shots[index];
    shot.durationMs = ms(now() - line->began);
    if (line->firstByte >= 0)
        shot.waitMs = ms(line->firstByte - line->began);
    const bool isReusable = response && response->keepAlive && line->state == Line::State::Waiting
        && line->parser.isIdle() && line->socket->state() == QAbstractSocket::ConnectedState
        && warmed() < m_options.mostWarm;
    shot.response = std::move(response);
    shot.problem = problem;

    own->lines[size_t(index)] = nullptr;
    const quint64 id = own->id;
    if (isReusable) {
        line->state = Line::State::Warm;
        line->salvo = 0;
        line->index = -1;
        line->began = line->firstByte = -1;
    } else {
        drop(line);
    }
    conclude(id, index, shot);
}

/// A request has come to its end; the last one ends the volley.
void Volley::conclude(quint64 id, int index, const VolleyShot &shot)
{
    Salvo *own = salvo(id);
    if (index >= 0) {
        --own->open;
        own->report.shots[index] = shot;
        emit answered(id, index, shot);
        own = salvo(id);
    }
    if (!own || own->open > 0)
        return;
    qint64 first = -1, last = -1;
    for (const VolleyShot &one : std::as_const(own->report.shots)) {
        if (one.offsetNs < 0)
            continue;
        first = first < 0 ? one.offsetNs : std::min(first, one.offsetNs);
        last = std::max(last, one.offsetNs);
    }
    own->report.spreadNs = last - first;
    const VolleyReport report = std::move(own->report);
    own->timer->disconnect(this);
    own->timer->deleteLater();
    std::erase_if(m_salvos, [id](const auto &one) { return one->id == id; });
    emit finished(id, report);
}

void Volley::close()
{
    while (!m_lines.empty())
        unable(m_lines.back().get(), tr("The connection was given up."));
}

} // namespace instar
