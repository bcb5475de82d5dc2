import { textOn } from '#platform';

/**
 * The style of the pages behind links: plain CSS for the browser of an old phone, which leaves out what it does not know
 * and can still use the page. What is pressed is 48 pixels high or more (WCAG 2.2, 2.5.8 asks for 24). It contains no
 * character that the template escapes.
 *
 * @param color the operator's, `#rrggbb`: only behind text whose colour follows from it
 */
export function styleOf(color: string): string {
  return `
html{-webkit-text-size-adjust:100%}
body{margin:0;background:#ffffff;color:#1a1d21;font:18px/1.5 -apple-system,Roboto,Arial,sans-serif}
.head{background:${color};color:${textOn(color)};padding:12px 16px;font-weight:bold;border-bottom:2px solid #5b6570}
.head img{height:48px;max-width:60%;vertical-align:middle;margin-right:12px;background:#ffffff}
.page{max-width:560px;margin:0 auto;padding:0 16px 32px}
h1{font-size:28px;line-height:1.25;margin:24px 0 16px}
h2{font-size:20px;line-height:1.3;margin:24px 0 8px}
p,ul,dl{margin:0 0 12px}
ul{padding-left:24px}
dt{font-size:16px}
dd{margin:0 0 8px;font-weight:bold;overflow-wrap:break-word}
form{margin:0 0 12px}
button{display:block;width:100%;min-height:52px;margin:0;padding:10px 16px;border:2px solid #5b6570;border-radius:8px;background:#ffffff;color:#1a1d21;font:inherit;font-weight:bold;text-align:center;cursor:pointer;-webkit-appearance:none;appearance:none}
.main button{background:${color};color:${textOn(color)};border-color:#1a1d21;min-height:60px}
details{margin:0 0 12px;border:2px solid #5b6570;border-radius:8px;padding:0 16px}
summary{padding:12px 0;min-height:28px;font-weight:bold;cursor:pointer}
fieldset{border:0;margin:0 0 12px;padding:0}
legend{padding:0;font-weight:bold}
label{display:block;padding:10px 0;min-height:28px}
input{font:inherit;color:inherit}
input[type=time],input[type=text]{display:block;box-sizing:border-box;width:100%;min-height:48px;padding:8px 12px;border:2px solid #5b6570;border-radius:8px;background:#ffffff;color:#1a1d21}
input[type=radio]{width:24px;height:24px;margin:0 12px 0 0;vertical-align:middle}
a{color:#0b57d0;display:inline-block;padding:10px 0}
button:focus,summary:focus,input:focus,a:focus{outline:3px solid #0b57d0;outline-offset:2px}
.foot{margin-top:32px;border-top:1px solid #5b6570;padding-top:8px}
.foot p{margin:0}
@media (prefers-color-scheme:dark){
body,button,input[type=time],input[type=text]{background:#14171a;color:#f1f3f5}
button,details,.head,.foot,input[type=time],input[type=text]{border-color:#9aa5b1}
.main button{background:${color};color:${textOn(color)};border-color:#f1f3f5}
a{color:#9cc2ff}
button:focus,summary:focus,input:focus,a:focus{outline-color:#9cc2ff}
input{color-scheme:dark}
}
`;
}
