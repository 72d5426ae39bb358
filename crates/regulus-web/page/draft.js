/** Texts that are being written. They are kept in the browser with every keystroke. */

import { remember, remembered } from "./settings.js";

/** Texts with a name; before anything was written they are a game that can be played at once. */
class Draft {
  /**
   * @param {string} place where the browser keeps them
   * @param {{ [name: string]: string }} first
   */
  constructor(place, first) {
    this.place = place;
    this.first = first;
  }

  /** @param {string} name `name`, or that of a text */
  text(name) {
    return remembered(`${this.place}.${name}`, this.first[name]);
  }

  /**
   * True if they could be kept.
   * @param {{ [name: string]: string }} texts
   */
  keep(texts) {
    return Object.entries(texts).every(([name, text]) => remember(`${this.place}.${name}`, text));
  }
}

const RULES = `// My game: be the first to put three stones in a row.

#players = white(100), black(100)
#pieces = whiteStone, blackStone, empty
#variables =

#board = rectangle(up, down, left, right,
    [empty, empty, empty, empty]
    [empty, empty, empty, empty]
    [empty, empty, empty, empty])

#anySquare = ((up* + down*) (left* + right*))

#line(stone) = (
    left {stone} left {stone} + left {stone} right^2 {stone} + right {stone} right {stone}
  + up {stone} up {stone} + up {stone} down^2 {stone} + down {stone} down {stone})

#turn(me; opponent) =
    ->me anySquare {empty} [me~Stone]
    ({? line(me~Stone)} [$ me = 100, opponent = 0] ->> {} + {! line(me~Stone)})
    [$ me = 50, opponent = 50] ->>
    {? anySquare {empty}} // on a full board nobody can go on: a draw

#rules = (turn(white; black) turn(black; white))*
`;

const GAME = `# Lamplighter: light all lamps before the night is over.

BasicGame
    SpriteSet
        dark > Immovable color=DARKGRAY
        lit > Immovable color=YELLOW
        moth > RandomNPC color=BROWN speed=0.5
        avatar > MovingAvatar color=BLUE
    InteractionSet
        avatar wall > stepBack
        moth wall > stepBack
        dark avatar > transformTo stype=lit scoreChange=2
        lit moth > transformTo stype=dark scoreChange=-1
    LevelMapping
        o > dark
        m > moth
    TerminationSet
        SpriteCounter stype=dark win=True
        Timeout limit=300 win=False
`;

const LEVEL = `wwwwwwwwwwwww
wA    w    ow
w  o  w  m  w
w     w     w
w ww     ww w
w     o     w
w  m  w  o  w
wo    w     w
wwwwwwwwwwwww
`;

export const boardDraft = new Draft("draft", { name: "my game", text: RULES });

export const videoDraft = new Draft("video", { name: "lamplighter", game: GAME, level: LEVEL });
