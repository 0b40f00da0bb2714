"""The network of the trick model with its gradients: all strains at once, seen from several declarers.

`dealerkit/doubledummy/trick_model/network.py` computes the same network for one strain and declarer;
tests/tools/test_trick_model_training.py compares the two, and the gradients with differences of the loss.
"""

import numpy as np

from trick_model import kernels as do

THIRD = np.float32(1 / 3)


class Network:
    """Weights (`flat`, by name `p`), their gradients (`flat_gradient`, `g`), and the last batch (`saved`).

    Parameters
    ----------
    encoder, width, context, head, last : int
        Widths of the layers: of a suit alone, of its two forms as trumps and as a side suit, of the meetings
        of suits, and of the last two layers.
    seed : int
        Of the initial weights.
    dtype : floating type
        float32 but for tests of the gradients.
    """

    def __init__(self, encoder=128, width=128, context=128, head=256, last=64, seed=1, dtype=np.float32):
        e, d, c = encoder, width, context
        shapes = dict(We=(60, e), be=(e,), Ws=(e, d), bs=(d,), Wt=(e, d), bt=(d,), nt=(d,))
        shapes |= dict(Ct=(d, c), Cs=(d, c), bc=(c,), Sj=(d, c), C2t=(d, c), C2p=(c, c), b2=(c,), S2=(c, c))
        shapes |= dict(H1=(d + c, head), h1=(head,), H2=(head, last), h2=(last,), O=(last, 14), o=(14,))
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.flat, self.flat_gradient = np.zeros((2, sum(sizes)), dtype)
        ends = np.cumsum(sizes)[:-1]
        self.p, self.g = (
            {
                name: part.reshape(shapes[name])
                for name, part in zip(shapes, np.split(flat, ends), strict=True)
            }
            for flat in (self.flat, self.flat_gradient)
        )
        self.saved: dict[str, np.ndarray] = {}
        rng = np.random.default_rng(seed)
        for name, shape in shapes.items():
            if (
                len(shape) == 2
            ):  # K. He and others, Delving Deep into Rectifiers, 2015; less where two are added
                added = 0.6 if name in ("Ct", "Cs", "Sj", "C2t", "C2p", "S2") else 1
                self.p[name][:] = rng.normal(0, np.sqrt(2 / shape[0]) * added, shape)
        self.p["O"] *= 0.3

    def compute(self, features):
        """Return logits [rows * 5, 14] from features [n, declarers, 4, 60]; keep what gradients need."""
        p, rows = self.p, features.shape[0] * features.shape[1]
        c, d, dtype = len(p["bc"]), len(p["bs"]), self.flat.dtype
        x = features.reshape(rows * 4, -1)
        e = x @ p["We"]
        do.add_bias_relu(e, p["be"])
        side = e @ p["Ws"]
        do.add_bias_relu(side, p["bs"])
        trump4 = e @ p["Wt"]
        do.add_bias_relu(trump4, p["bt"])
        side3 = side.reshape(rows, 4, d)
        total = side3.sum(1, keepdims=True)
        mean = np.empty((rows, 5, d), dtype)
        np.subtract(total, side3, out=mean[:, :4])
        mean[:, 4:] = total
        mean *= THIRD
        trump = np.empty((rows, 5, d), dtype)
        trump[:, :4] = trump4.reshape(rows, 4, d)
        trump[:, 4] = p["nt"]
        trump, mean = trump.reshape(rows * 5, d), mean.reshape(rows * 5, d)
        context = trump @ p["Ct"]
        context += mean @ p["Cs"]
        context += p["bc"]
        met = np.empty((rows, do.MEETINGS, c), dtype)
        do.meet((side @ p["Sj"]).reshape(rows, 4, c), context.reshape(rows, 5, c), met)
        pooled, pooled2 = np.empty((2, rows, 5, c), dtype)
        do.sum_meetings(met, pooled)
        pooled, pooled2 = pooled.reshape(rows * 5, c), pooled2.reshape(rows * 5, c)
        pooled *= THIRD
        context2 = trump @ p["C2t"]
        context2 += pooled @ p["C2p"]
        context2 += p["b2"]
        again = (met.reshape(-1, c) @ p["S2"]).reshape(met.shape)
        do.meet_again(again, context2.reshape(rows, 5, c))
        do.sum_meetings(again, pooled2.reshape(rows, 5, c))
        pooled2 *= THIRD
        joined = np.concatenate([trump, pooled + pooled2], 1)
        a1 = joined @ p["H1"]
        do.add_bias_relu(a1, p["h1"])
        a2 = a1 @ p["H2"]
        do.add_bias_relu(a2, p["h2"])
        logits = a2 @ p["O"]
        logits += p["o"]
        self.saved = dict(
            x=x, e=e, side=side, trump4=trump4, trump=trump, mean=mean, met=met, again=again, pooled=pooled,
            joined=joined, a1=a1, a2=a2,
        )  # fmt: skip
        return logits

    def differentiate(self, of_logits):
        """Write the gradient of the last batch to `flat_gradient`, from that of its logits."""
        p, s = self.p, self.saved
        c, d, dtype = len(p["bc"]), len(p["bs"]), self.flat.dtype
        rows = len(s["met"])
        of_a = self._go_back(of_logits, "a2", "O", "o")
        of_a = self._go_back(of_a, "a1", "H2", "h2")
        of_joined = self._go_back(of_a, "joined", "H1", "h1", is_relu=False)
        of_trump, of_pooled = (np.ascontiguousarray(part) for part in np.split(of_joined, [d], axis=1))
        of_met, of_context2 = np.empty_like(s["met"]), np.empty((rows, 5, c), dtype)
        do.spread_gradient(s["again"], (of_pooled * THIRD).reshape(rows, 5, c), of_met, of_context2)
        of_context2 = of_context2.reshape(-1, c)
        self._multiply(s["met"].reshape(-1, c), of_met.reshape(-1, c), "S2")
        self._multiply(s["trump"], of_context2, "C2t")
        self._multiply(s["pooled"], of_context2, "C2p", "b2")
        of_trump += of_context2 @ p["C2t"].T
        of_pooled += of_context2 @ p["C2p"].T
        of_pooled *= THIRD
        of_met = (of_met.reshape(-1, c) @ p["S2"].T).reshape(of_met.shape)
        do.add_gradient_of_sum(of_met, of_pooled.reshape(rows, 5, c), s["met"])
        of_joint, of_context = np.empty((rows, 4, c), dtype), np.empty((rows, 5, c), dtype)
        do.collect_gradient(of_met, of_joint, of_context)
        of_joint, of_context = of_joint.reshape(-1, c), of_context.reshape(-1, c)
        self._multiply(s["trump"], of_context, "Ct")
        self._multiply(s["mean"], of_context, "Cs", "bc")
        self._multiply(s["side"], of_joint, "Sj")
        of_trump += of_context @ p["Ct"].T
        of_mean = of_context @ p["Cs"].T
        of_mean *= THIRD
        of_mean = of_mean.reshape(rows, 5, d)
        of_side = of_joint @ p["Sj"].T
        of_side3 = of_side.reshape(rows, 4, d)
        of_side3 += of_mean.sum(1, keepdims=True)
        of_side3 -= of_mean[:, :4]
        of_trump = of_trump.reshape(rows, 5, d)
        self.g["nt"][:] = of_trump[:, 4].sum(0)
        of_trump = np.ascontiguousarray(of_trump[:, :4]).reshape(-1, d)
        do.stop_gradient(of_side, s["side"])
        do.stop_gradient(of_trump, s["trump4"])
        self._multiply(s["e"], of_side, "Ws", "bs")
        self._multiply(s["e"], of_trump, "Wt", "bt")
        of_e = of_side @ p["Ws"].T
        of_e += of_trump @ p["Wt"].T
        do.stop_gradient(of_e, s["e"])
        self._multiply(s["x"], of_e, "We", "be")

    def _multiply(self, below, gradient, name, bias=None):
        """Write the gradients of a matrix, and of a bias, above the values `below`."""
        np.dot(below.T, gradient, out=self.g[name])
        if bias is not None:
            self.g[bias][:] = gradient.sum(0)

    def _go_back(self, gradient, below, name, bias, is_relu=True):
        """Write the gradients of a layer and return that of the layer below it."""
        self._multiply(self.saved[below], gradient, name, bias)
        result = gradient @ self.p[name].T
        if is_relu:
            do.stop_gradient(result, self.saved[below])
        return result
