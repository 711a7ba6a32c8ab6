// SPDX-License-Identifier: Apache-2.0
// node -r loopback.cjs ...: servers listen on this machine's own address only.
const net = require("net");
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (where, ...rest) {
  return typeof where === "number" ? listen.call(this, where, "127.0.0.1", ...rest) : listen.call(this, where, ...rest);
};
