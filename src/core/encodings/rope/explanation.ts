import type { Explanation } from "../encoding.ts";

/** RoPE's explanation for the catalogue, hovers and docs. */
export const ropeExplanation: Explanation = {
  summary: {
    en: "Rotates each pair of dimensions in queries and keys by an angle that grows with the position: absolute in form, relative in effect. With ALiBi, the mainstream of today's models.",
    zh: "把查询与键的每个维度对按随位置增大的角度旋转：形式上是绝对位置，效果上是相对位置。与 ALiBi 一起是当今模型的主流。",
  },
  extrapolation: {
    en: "Being relative is not enough. Angles can be computed for any position, but beyond the training context low-frequency pairs reach unseen angles, and plain RoPE breaks down. Position interpolation (linear) squeezes positions into the training range and needs some fine-tuning. NTK-aware scaling changes the base, which hardly affects high frequencies, and works without fine-tuning. Dynamic NTK scales only as far as the current length requires. YaRN, Llama 3.1 and LongRoPE treat each pair separately; YaRN and LongRoPE also adjust the softmax temperature.",
    zh: "“相对”并不等于能外推。任意位置的角度都算得出来，但超过训练上下文后，低频维度对会转到未见过的角度，原始 RoPE 随即失效。线性位置内插（PI）把位置压进训练范围，需要少量微调；NTK 感知缩放改底数，高频基本不动，可免微调；动态 NTK 只按当前长度缩放；YaRN、Llama 3.1 与 LongRoPE 逐对决定，其中 YaRN 与 LongRoPE 还调整 softmax 温度。",
  },
  strengths: {
    en: "Scores depend only on the distance, without parameters or lookups, at the cost of an element-wise product. Works with any attention kernel, with linear attention and with a key cache. The product has long-range decay: summed over the frequencies, it tends to fall with the distance. Rotations preserve length, so the content is not drowned out.",
    zh: "分数只取决于相对距离，没有参数、没有查表，开销只是逐元素乘法；适用于各种注意力实现、线性注意力与 KV 缓存。对各频率求和后具有远程衰减性。旋转保持向量长度，不会淹没内容。",
  },
  weaknesses: {
    en: "Fails beyond the training context unless the frequencies are changed. The decay holds for bounds, not for every vector: scores of distant keys can rise again, as the waves in the plot show. In float32 and bfloat16 tables, distant positions blur.",
    zh: "不改频率就无法超出训练上下文。远程衰减只是上界意义上的趋势，并非对每个向量成立：图中的波纹说明远处的分数也会回升。float32 或 bfloat16 表中，远处位置会变得模糊。",
  },
  pitfalls: {
    en: "The rotation matrix is block-diagonal and is never multiplied as a matrix: code computes q ⊙ cos + swap(q) ⊙ sin with the swapped, signed vector (−x₂, x₁). There are two pair layouts, half (k, k + d/2) and interleaved (2k, 2k + 1); weights of one layout silently give wrong results with the other. Some texts write qᵀ R(i − j) k; with column vectors it is R_iᵀ R_j = R(j − i). In the complex proof, Re[q k* e^{i(m−n)ω}], the sign is reversed because k is conjugated. θ is the base 10000 in code, but the angle 10000^(−2k/d) in the paper. Frequencies are usually fixed but can be trained. ChatGLM-6B (v1) rotates the two halves of the head by two position ids; ChatGLM2 and 3 use one, on half of the head.",
    zh: "旋转矩阵是分块对角的，实现中从不真的做矩阵乘法，而是 q ⊙ cos + swap(q) ⊙ sin，其中 swap 把每对换位并取负：(−x₂, x₁)。配对方式有两种：前后两半 (k, k + d/2) 与相邻交错 (2k, 2k + 1)；混用不会报错，但数值全错。有的文章写成 qᵀ R(i − j) k，按列向量应为 R_iᵀ R_j = R(j − i)；而复数证明 Re[q k* e^{i(m−n)ω}] 中因为 k 取共轭，符号正好相反。θ 在代码里指底数 10000，在论文里指角度 10000^(−2k/d)。频率通常固定，也可以训练。ChatGLM-6B（一代）用两组位置编号分别旋转头的两半；ChatGLM2、3 只用一组，旋转半个头。",
  },
  models: [
    "RoFormer",
    "GPT-J",
    "GPT-NeoX-20B",
    "PaLM",
    "LLaMA",
    "Llama 2",
    "Llama 3.1 (llama3)",
    "Baichuan-7B",
    "ChatGLM-6B",
    "ChatGLM2-6B",
    "ChatGLM3-6B",
    "GLM-4",
    "Qwen2.5 (yarn)",
    "Qwen3",
    "Mistral 7B",
    "Mixtral",
    "Gemma 3 (two bases, linear)",
    "Gemma 4 (proportional)",
    "Phi-3 (longrope)",
    "DeepSeek-V3 (yarn)",
    "gpt-oss (yarn)",
    "InternLM2 (dynamic)",
    "Falcon 7B",
    "StableLM",
    "ModernBERT",
  ],
};
