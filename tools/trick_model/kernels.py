"""Elementwise steps of training the trick model, compiled; all matrix products are numpy's.

A *row* is a deal seen from one declarer. It has 4 suits and 5 strains. A *meeting* is a side suit in a
strain: 3 in each suit contract, 4 in notrump, 16 in a row, in the order of the strains S H D C N.
"""

import numba
import numpy as np

_compile = numba.njit(cache=True, fastmath=True, nogil=True)
MEETINGS = 16


@_compile
def encode_deals(hands, first, out):
    """Write the features of the suits, float32 [n, declarers, 4, 60], for declarers in turn from `first`."""
    for i in range(len(hands)):
        for r in range(out.shape[1]):
            for s in range(4):
                o = out[i, r, s]
                for p in range(4):
                    lane = (hands[i, (first[i] + r + p) % 4] >> np.uint64(16 * (3 - s))) & np.uint64(0x1FFF)
                    n = 0.0
                    h = 0.0
                    for k in range(13):
                        b = np.float32((lane >> np.uint64(k)) & np.uint64(1))
                        o[p * 13 + k] = b
                        n += b
                        if k > 8:
                            h += b * (k - 8)
                    o[52 + p] = n * np.float32(0.25)
                    o[56 + p] = h * np.float32(0.25)
    return out


@_compile
def add_bias_relu(x, bias):
    """Add the bias to each line of x, in place, and replace negative values by 0."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            v = x[i, j] + bias[j]
            x[i, j] = v if v > 0 else np.float32(0)


@_compile
def stop_gradient(gradient, activation):
    """Replace the gradient by 0, in place, where the activation is 0."""
    for i in range(gradient.shape[0]):
        for j in range(gradient.shape[1]):
            if not activation[i, j] > 0:
                gradient[i, j] = 0


@_compile
def meet(sides, context, out):
    """Write relu(side suit + context of the strain) for all meetings, [rows, 16, c]."""
    for i in range(sides.shape[0]):
        q = 0
        for k in range(5):
            for j in range(4):
                if j != k:
                    for c in range(sides.shape[2]):
                        v = sides[i, j, c] + context[i, k, c]
                        out[i, q, c] = v if v > 0 else np.float32(0)
                    q += 1


@_compile
def sum_meetings(met, out):
    """Write the sums over the meetings of each strain, [rows, 5, c]."""
    for i in range(met.shape[0]):
        for k in range(5):
            for c in range(met.shape[2]):
                t = met[i, 3 * k, c] + met[i, 3 * k + 1, c] + met[i, 3 * k + 2, c]
                if k == 4:
                    t += met[i, 15, c]
                out[i, k, c] = t


@_compile
def meet_again(met, context):
    """Replace the meetings by relu(meeting + context of the strain), in place."""
    for i in range(met.shape[0]):
        for q in range(16):
            k = min(q // 3, 4)
            for c in range(met.shape[2]):
                t = met[i, q, c] + context[i, k, c]
                met[i, q, c] = t if t > 0 else np.float32(0)


@_compile
def spread_gradient(again, of_sum, of_meetings, of_context):
    """Write the gradients of the second meetings and of their contexts from that of their sum."""
    of_context[:] = 0
    for i in range(again.shape[0]):
        for q in range(16):
            k = min(q // 3, 4)
            for c in range(again.shape[2]):
                g = of_sum[i, k, c] if again[i, q, c] > 0 else np.float32(0)
                of_meetings[i, q, c] = g
                of_context[i, k, c] += g


@_compile
def add_gradient_of_sum(gradient, of_sum, met):
    """Add the gradient of the sum to that of the first meetings, in place; 0 where these are 0."""
    for i in range(gradient.shape[0]):
        for q in range(16):
            k = min(q // 3, 4)
            for c in range(gradient.shape[2]):
                gradient[i, q, c] = gradient[i, q, c] + of_sum[i, k, c] if met[i, q, c] > 0 else np.float32(0)


@_compile
def collect_gradient(gradient, of_sides, of_context):
    """Write the gradients of side suits and contexts: sums of those of their meetings."""
    of_sides[:] = 0
    of_context[:] = 0
    for i in range(gradient.shape[0]):
        q = 0
        for k in range(5):
            for j in range(4):
                if j != k:
                    for c in range(gradient.shape[2]):
                        of_sides[i, j, c] += gradient[i, q, c]
                        of_context[i, k, c] += gradient[i, q, c]
                    q += 1


@_compile
def differentiate_loss(logits, tricks, weight, scale):
    """Replace logits [n, 14] by the gradient of the loss; return the sums of its two parts.

    The loss of a deal is the cross-entropy of the number of tricks and `weight` times the squared error of
    the mean of the predicted distribution.
    """
    entropy = 0.0
    squares = 0.0
    e = np.empty(14, logits.dtype)
    for i in range(logits.shape[0]):
        m = logits[i, 0]
        for k in range(14):
            m = max(m, logits[i, k])
        t = np.float32(0)
        mean = np.float32(0)
        for k in range(14):
            e[k] = np.exp(logits[i, k] - m)
            t += e[k]
            mean += k * e[k]
        mean /= t
        entropy += np.log(t) + m - logits[i, tricks[i]]
        d = mean - tricks[i]
        squares += d * d
        for k in range(14):
            p = e[k] / t
            logits[i, k] = scale * (p - (1.0 if k == tricks[i] else 0.0) + 2 * weight * d * p * (k - mean))
    return entropy, squares


@_compile
def step_adamw(w, g, m, v, rate, decay, beta1, beta2, t, clip):
    """Change the weights by one step of AdamW (I. Loshchilov and F. Hutter, 2019).

    A gradient longer than `clip` is shortened to this length.
    """
    n = 0.0
    for i in range(len(w)):
        n += g[i] * g[i]
    n = np.sqrt(n)
    f = np.float32(1.0 if n < clip else clip / n)
    c1 = 1 - beta1**t
    c2 = 1 - beta2**t
    a = np.float32(rate * np.sqrt(c2) / c1)
    eps = np.float32(1e-8 * np.sqrt(c2))
    keep = np.float32(1 - rate * decay)
    b1 = np.float32(beta1)
    b2 = np.float32(beta2)
    d1 = np.float32(1 - beta1)
    d2 = np.float32(1 - beta2)
    for i in range(len(w)):
        x = g[i] * f
        m[i] = b1 * m[i] + d1 * x
        v[i] = b2 * v[i] + d2 * x * x
        w[i] = keep * w[i] - a * m[i] / (np.sqrt(v[i]) + eps)
