(function () {
  'use strict';
  // ES5 and nothing that browsers of 2017 lack, without a guard: this is what televisions run. Lines such as this one are not sent.

  // Whoever tests the page puts this into the window before it runs. No address can: a page that anybody could make ask 20 times as
  // often would be a way to trouble the server.
  var page = document,
    speed = Math.min(Math.max(Number(window.afterglowWallSpeed) || 1, 1), 50),
    SECOND = 1000 / speed,
    POLL = 5,
    POLL_MOST = 30,
    SHOWN = 7,
    SHOWN_NEW = 12,
    // What is on the wall makes room for an arrival after so long, so that it is seen within ten seconds.
    LEAST = 3,
    LEAST_NEW = 4,
    LOAD = 8,
    LOST = 300,
    CURSOR = 3,
    ARRIVALS = 10,
    // Pictures that are kept, for an hour without a network. Their elements are used again, so that nothing grows in a night.
    KEPT = 60,
    // As many others come between one photo and the same again, where there are so many.
    APART = 20,
    address = '/api' + location.pathname,
    byId = function (id) { return page.getElementById(id); },
    over = byId('over'),
    name = byId('name'),
    line = byId('line'),
    layers = within(page, '.layer'),
    there = {},
    count = 0,
    // The last photo of a list that leaves older ones out, which are no arrivals when they come into it.
    oldest = '',
    started = false,
    ended = false,
    etag = '',
    failures = 0,
    answered = Date.now(),
    asking = null,
    newest = null,
    round = [],
    arrivals = [],
    recent = [],
    kept = [],
    spare = [],
    current = null,
    next = null,
    front = 0,
    shownAt = 0,
    shownFor = 0,
    pausedUntil = 0;

  function within(element, selector) {
    return [].slice.call(element.querySelectorAll(selector));
  }

  function isThere(id) {
    return there[id] === true;
  }

  function shuffled(list) {
    var all = list.slice();
    for (var at = all.length - 1; at > 0; at -= 1) {
      var other = Math.floor(Math.random() * (at + 1));
      var moved = all[at];
      all[at] = all[other];
      all[other] = moved;
    }
    return all;
  }

  // All photos in any order, but those that were seen last not among the first.
  function newRound() {
    var all = Object.keys(there);
    var apart = Math.min(APART, Math.floor(all.length / 2));
    var last = apart === 0 ? [] : recent.slice(-apart);
    var order = shuffled(all.filter(function (id) { return last.indexOf(id) < 0; }));
    shuffled(last.filter(isThere)).forEach(function (id) {
      var from = Math.min(order.length, apart);
      order.splice(from + Math.floor(Math.random() * (order.length - from + 1)), 0, id);
    });
    return order;
  }

  // Photos.

  function keptOf(id) {
    return kept.filter(function (each) { return each.id === id; })[0];
  }

  function drop(entry) {
    kept.splice(kept.indexOf(entry), 1);
    entry.state = 'gone';
    entry.image.onload = entry.image.onerror = null;
    entry.image.removeAttribute('src');
    if (entry.image.parentNode) entry.image.parentNode.removeChild(entry.image);
    spare.push(entry.image);
  }

  function isInUse(entry) {
    return entry === current || (next !== null && entry === next.entry) || entry.image.parentNode !== null;
  }

  function longestUnseen(isWanted) {
    return kept.filter(isWanted).sort(function (one, other) { return one.seen - other.seen; })[0];
  }

  function load(id) {
    var entry = keptOf(id);
    if (entry) return entry;
    if (kept.length >= KEPT) drop(longestUnseen(function (each) { return !isInUse(each); }));
    entry = { id: id, image: spare.pop() || new Image(), state: 'loading', seen: Date.now() };
    kept.push(entry);
    // What is on a photo nobody has written down.
    entry.image.alt = '';
    entry.image.onload = function () {
      var done = function () { if (entry.state === 'loading') entry.state = 'loaded'; };
      if (entry.image.decode) entry.image.decode().then(done, done);
      else done();
    };
    entry.image.onerror = function () {
      entry.state = 'failed';
    };
    entry.image.src = address + '/photos/' + id;
    return entry;
  }

  function keptInstead() {
    return longestUnseen(function (entry) { return entry.state === 'loaded' && entry !== current; });
  }

  // While the server cannot be reached, what is kept goes round.
  function choose(now) {
    if (failures > 0) {
      var instead = keptInstead();
      if (instead) next = { entry: instead, isNew: false };
      return;
    }
    if (now < pausedUntil) return;
    var isNew = arrivals.length > 0;
    if (!isNew && round.length === 0) round = newRound();
    var id = isNew ? arrivals.pop() : round.shift();
    if (isThere(id)) next = { entry: load(id), isNew: isNew };
  }

  function giveUp(now) {
    var entry = next.entry;
    if (next.isNew) round.push(entry.id);
    next = null;
    drop(entry);
    var instead = keptInstead();
    if (instead) next = { entry: instead, isNew: false };
    else pausedUntil = now + 2 * SECOND;
  }

  function fit(image) {
    var width = window.innerWidth;
    var height = window.innerHeight;
    var across = width / image.naturalWidth;
    var down = height / image.naturalHeight;
    var all = Math.min(across, down);
    // Little is cut off a photo of about the screen's form: less above, where heads are.
    var fills = Math.max(across, down) / all < 1.2;
    var scale = fills ? Math.max(across, down) : all;
    var style = image.style;
    style.width = Math.ceil(image.naturalWidth * scale) + 'px';
    style.height = Math.ceil(image.naturalHeight * scale) + 'px';
    style.left = Math.floor((width - image.naturalWidth * scale) / 2) + 'px';
    style.top = Math.floor((height - image.naturalHeight * scale) * (fills ? 0.35 : 0.5)) + 'px';
  }

  function still(element) {
    element.style.transition = 'none';
    return function () {
      // Reading a length makes the browser take what was set before.
      if (element.offsetWidth >= 0) element.style.transition = '';
    };
  }

  function show(now) {
    var entry = next.entry;
    shownAt = now;
    shownFor = (next.isNew ? SHOWN_NEW : SHOWN) * SECOND;
    next = null;
    entry.seen = now;
    recent.push(entry.id);
    if (recent.length > APART) recent.shift();
    if (entry !== current) {
      var layer = layers[1 - front];
      var move = still(layer);
      layer.className = 'layer';
      within(layer, 'img').forEach(function (image) { layer.removeChild(image); });
      layer.appendChild(entry.image);
      fit(entry.image);
      var ground = layer.querySelector('canvas');
      var context = ground.getContext('2d');
      if (context) context.drawImage(entry.image, 0, 0, ground.width, ground.height);
      move();
      layer.className = 'layer on';
      layer.style.zIndex = '1';
      layers[front].style.zIndex = '0';
      front = 1 - front;
      current = entry;
    }
    over.className = '';
    var go = still(line);
    line.style.transform = 'scaleX(0)';
    go();
    line.style.transition = 'transform ' + shownFor / 1000 + 's linear';
    line.style.transform = 'scaleX(1)';
  }

  function showNothing() {
    current = next = null;
    shownFor = 0;
    over.className = 'bare';
    layers.forEach(function (layer) { layer.className = 'layer'; });
    while (kept.length > 0) drop(kept[0]);
  }

  function due() {
    if (current === null) return 0;
    if (next === null || !next.isNew) return shownAt + shownFor;
    return shownAt + Math.min(shownFor, (shownFor > SHOWN * SECOND ? LEAST_NEW : LEAST) * SECOND);
  }

  function tick() {
    if (ended) return;
    var now = Date.now();
    if (count > 0) {
      if (next === null) choose(now);
      if (next !== null && next.entry.state === 'failed') giveUp(now);
      if (next !== null && now >= due()) {
        if (next.entry.state === 'loaded') show(now);
        else if (now >= Math.max(due(), next.entry.seen) + LOAD * SECOND) giveUp(now);
      }
    }
    byId('lost').hidden = now - answered < LOST * SECOND;
    setTimeout(tick, SECOND / 4);
  }

  // The list.

  function take(answer) {
    var known = there;
    var first = !started;
    var before = oldest;
    started = true;
    there = {};
    answer.photos.forEach(function (id) { there[id] = true; });
    count = answer.photos.length;
    oldest = answer.total > count ? answer.photos[count - 1] : '';
    name.textContent = page.title = answer.name;
    arrivals = arrivals.filter(isThere);
    round = round.filter(isThere);
    if (!first) {
      answer.photos.slice().reverse().forEach(function (id) {
        if (known[id] !== true && id > before) arrivals.push(id);
      });
    }
    // Of very many at once the newest come first, and the others in turn.
    round = arrivals.splice(0, Math.max(0, arrivals.length - ARRIVALS)).concat(round);
    if (next !== null && (!isThere(next.entry.id) || (arrivals.length > 0 && !next.isNew))) {
      if (isThere(next.entry.id)) round.unshift(next.entry.id);
      next = null;
    }
    if (count === 0) {
      showNothing();
      return;
    }
    var isGone = current !== null && !isThere(current.id);
    kept.filter(function (entry) { return !isThere(entry.id); }).forEach(drop);
    if (isGone) {
      current = null;
      layers.forEach(function (layer) {
        if (!layer.querySelector('img')) layer.className = 'layer';
      });
    }
  }

  function end() {
    ended = true;
    showNothing();
    over.hidden = byId('lost').hidden = true;
    byId('ended').hidden = false;
  }

  function isEnd(request) {
    // Another 404 is a proxy's, while the server starts again.
    return request.status === 404 && request.responseText.indexOf('"wall_ended"') > 0;
  }

  function read(text) {
    try {
      return JSON.parse(text);
    } catch (error) {
      return null;
    }
  }

  function poll() {
    clearTimeout(asking);
    var request = (newest = new XMLHttpRequest());
    request.onreadystatechange = function () {
      if (request.readyState !== 4 || request !== newest || ended) return;
      var answer = request.status === 200 ? read(request.responseText) : null;
      if (isEnd(request)) {
        end();
        return;
      }
      if (answer !== null && answer.photos) {
        etag = request.getResponseHeader('ETag') || '';
        take(answer);
      }
      if ((answer !== null && answer.photos) || request.status === 304) {
        failures = 0;
        answered = Date.now();
      } else failures += 1;
      asking = setTimeout(poll, Math.min(POLL_MOST, POLL * Math.pow(2, failures)) * SECOND);
    };
    request.open('GET', address, true);
    request.timeout = 10000;
    if (etag) request.setRequestHeader('If-None-Match', etag);
    request.send();
  }

  // The screen.

  function ignore() {}

  function fill() {
    var root = page.documentElement;
    var isFull = page.fullscreenElement || page.webkitFullscreenElement;
    var change = isFull
      ? page.exitFullscreen || page.webkitExitFullscreen
      : root.requestFullscreen || root.webkitRequestFullscreen;
    var done = change && change.call(isFull ? page : root);
    if (done && done.then) done.then(ignore, ignore);
    wake();
  }

  function wake() {
    if (page.hidden || !navigator.wakeLock) return;
    var done = navigator.wakeLock.request('screen');
    if (done && done.then) done.then(ignore, ignore);
  }

  var hiding = null;
  function moved() {
    page.body.style.cursor = '';
    clearTimeout(hiding);
    hiding = setTimeout(function () { page.body.style.cursor = 'none'; }, CURSOR * SECOND);
  }

  page.addEventListener('click', fill);
  page.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    // F, and the button in the middle of a remote control.
    if (event.keyCode === 70 || event.keyCode === 13) fill();
  });
  page.addEventListener('mousemove', moved);
  page.addEventListener('visibilitychange', wake);
  window.addEventListener('resize', function () {
    layers.forEach(function (layer) {
      var image = layer.querySelector('img');
      if (image) fit(image);
    });
  });
  window.addEventListener('online', function () {
    if (!ended && failures > 0) poll();
  });
  moved();
  wake();
  poll();
  tick();
})();
